"""Why a match played offline is refused: the codes `carry/…`."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "carry/unreadable": N_("This is no match that was kept without a network."),
    "carry/too-long": N_("This match is too long to be brought here: %(most)s KB at most."),
    "carry/repeats": N_(
        "This match repeats itself more than a match that was played: unpacked, it is over %(times)s times as long."
    ),
    "carry/one-device": N_("This match was not set as a device without a network sets it."),
    "carry/time": N_("The times of this match do not follow one another: is the device's clock right?"),
    "carry/not-so": N_("Entry %(number)s of this match is not what the rules and the table allow."),
    "carry/not-over": N_("This match is not over: play it to its end first, on the device where it is."),
}
