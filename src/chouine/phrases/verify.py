"""Checking a deal against the digest shown before its cut (§2)."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "verify/good": N_(
        "All agrees. If this digest is the one the table showed before the cut, nothing has moved since."
    ),
    "verify/good-drawing": N_(
        "All agrees. If this digest is the one the table showed while cards were drawn, the pack has not moved since."
    ),
    "verify/digest": N_(
        "The pack and the nonce do not give this digest: it is not the pack announced before the cut."
    ),
    "verify/pack": N_("This is not a pack of thirty-two different cards, §1."),
    "verify/void-cut": N_("The cut is void: each packet must have at least four cards, §2."),
    "verify/deal": N_("Cut and dealt by the rules, this pack does not give this deal, §3."),
    "verify/missing": N_("Missing for the check: %(names)s."),
    "verify/letters": N_("There is a character in %(name)s that cannot be written."),
    "verify/nested": N_("This text has too many brackets within brackets to be a table's JSON."),
    "verify/cut-number": N_("The cut is a number of cards; this is not one: %(token)s."),
    "verify/nothing": N_("No partie to check here: the tags Pack, Nonce, Cut and Digest are needed."),
}
