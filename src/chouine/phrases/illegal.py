"""Why an action is refused: the codes of `rules.explain`. `suit` is the suit led, `trump` the trump suit."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "illegal/over": N_("The partie is over, §12."),
    "illegal/not-your-turn": N_("It is not your turn, §5."),
    "illegal/no-turnup": N_("No exchange in Mondoubleau: there is no turnup, §17."),
    "illegal/no-draw-left": N_("Too late to exchange the seven: no more draws from the talon, §11."),
    "illegal/seven-turned": N_("No exchange: the seven of trumps lies on the table, §11."),
    "illegal/no-seven": N_("You do not hold the seven of trumps, §11."),
    "illegal/card-awaited": N_("You have declared: now play your card, §9."),
    "illegal/seven-on-lead": N_("The seven is exchanged only when on lead, §11."),
    "illegal/seven-too-late": N_("No exchange once the last trick with a draw has come, §11."),
    "illegal/au-sept-asked": N_("“Au sept” comes first: exchange the seven or keep it, §11."),
    "illegal/au-sept-past": N_("“Au sept” was said and the trick has been led: no exchange any more, §11."),
    "illegal/not-held": N_("That card is not in your hand, §5."),
    "illegal/must-follow": N_("You still hold %(suit)s: you must follow suit, §8."),
    "illegal/must-head": N_("You can beat the %(suit)s on the table: you must head the trick, §8."),
    "illegal/must-ruff": N_("You have no %(suit)s but hold trumps (%(trump)s): you must ruff, §8."),
    "illegal/must-overruff": N_("You can beat the trump on the table (%(trump)s): you must overruff, §8."),
    "illegal/not-of-figure": N_("The card played must be one of the combination, §9."),
    "illegal/no-such-figure": N_("There is no such declaration with this many players, §9."),
    "illegal/declare-on-lead": N_("Declarations are made only when on lead, §9."),
    "illegal/figure-not-held": N_("You do not hold all the cards of that combination, §9."),
    "illegal/said-already": N_("That declaration has already been made, §9."),
    "illegal/suit-counted": N_("You have already declared in that suit, §9."),
    "illegal/figure-not-playable": N_("No card of that combination may be played now, §9."),
}
