"""The events of a partie. `…/you` addresses the seat that `name` names."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "event/someone": N_("Someone"),
    "event/deals": N_("%(name)s deals."),
    "event/deals/you": N_("You deal."),
    "event/declares": N_("%(name)s: “%(said)s”"),
    "event/declares/you": N_("You: “%(said)s”"),
    "event/declares-points": N_("%(name)s: “%(said)s” (%(points)s points)"),
    "event/declares-points/you": N_("You: “%(said)s” (%(points)s points)"),
    "event/trump-fixed": N_("Trumps are %(suit)s."),
    "event/plays": N_("%(name)s plays %(card)s."),
    "event/plays/you": N_("You play %(card)s."),
    "event/shows": N_("%(name)s shows %(cards)s."),
    "event/shows/you": N_("You show %(cards)s."),
    "event/takes": N_("%(name)s takes the trick."),
    "event/takes/you": N_("You take the trick."),
    "event/takes-points": N_("%(name)s takes the trick (%(points)s)."),
    "event/takes-points/you": N_("You take the trick (%(points)s)."),
    "event/draws": N_("%(name)s draws a card."),
    "event/draws-card": N_("%(name)s draws %(card)s."),
    "event/draws-card/you": N_("You draw %(card)s."),
    "event/draws-turnup": N_("%(name)s draws the turnup, %(card)s."),
    "event/draws-turnup/you": N_("You draw the turnup, %(card)s."),
    "event/au-sept": N_("%(name)s says: “Au sept”."),
    "event/au-sept/you": N_("You say “Au sept”."),
    "event/exchanges": N_("%(name)s exchanges %(seven)s for %(card)s."),
    "event/exchanges/you": N_("You exchange %(seven)s for %(card)s."),
}
