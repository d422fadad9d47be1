"""Why two strangers are not paired: the codes `partners/…`."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "partners/gone": N_("That player is no longer waiting: somebody was quicker, or they left."),
    "partners/just-joined": N_(
        "Somebody at your address has just joined that player: choose another one, or try again in ten minutes."
    ),
    "partners/no-name": N_("Give a name: whoever wants to play with you sees it."),
    "partners/found": N_("You have a partner already: your table is open."),
    "partners/too-many": N_("You no longer play with %(most)s people: let one of them come back first."),
}
