"""Why the end of a partie cannot be solved exactly."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "endgame/two-seats": N_(
        "Only a partie of two seats is solved like this; with three or four, ask what one seat is sure of."
    ),
    "endgame/hand-unknown": N_("The hand of seat %(seat)s is not fully known."),
    "endgame/talon-unknown": N_("Not all the talon's cards still to be drawn are known."),
    "endgame/too-deep": N_("Too many ways to go on for an exact answer from here."),
}
