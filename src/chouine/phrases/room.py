"""What a table does not take now: the codes `room/…`."""

PHRASES = {
    "room/not-now": ("Ce n'est pas le moment.", "Not now."),
    "room/not-your-turn": ("Ce n'est pas à vous.", "It is not for you to do that now."),
    "room/busy": (
        "La table est très demandée ; essayez encore une fois.",
        "The table is very busy; please try again.",
    ),
    "room/paused": (
        "La table est en pause : reprenez d'abord.",
        "The table is paused: resume first.",
    ),
    "room/no-such-card": (
        "Cette carte est déjà tirée : prenez-en une autre, §2.",
        "That card has been drawn already: take another, §2.",
    ),
    "room/void-cut": (
        "Coupe nulle : au moins quatre cartes dans chaque paquet, §2.",
        "Void cut: at least four cards in each packet, §2.",
    ),
    "room/unreadable": ("Ceci n'est pas une carte : {token}.", "That is not a card: {token}."),
    "room/au-sept-open": (
        "« Au sept » : attendez que les autres aient répondu, §11.",
        '"Au sept": wait until the others have answered, §11.',
    ),
    "room/nothing-to-pass": (
        "Il n'y a rien à laisser passer : « au sept » n'est plus ouvert, §11.",
        'Nothing to let pass: "au sept" is no longer open, §11.',
    ),
    "room/no-partie": ("Aucune partie n'est en cours.", "No partie is in progress."),
    "room/no-pause": ("Pas de pause à demander maintenant.", "There is no pause to ask for now."),
    "room/not-paused": ("La table n'est pas en pause.", "The table is not paused."),
    "room/no-such-phrase": (
        "Cette phrase ne se dit pas à cette table.",
        "That phrase is not one of the table's.",
    ),
    "room/no-revanche": (
        "La revanche se demande une fois, le match fini, §13.",
        "A revanche is asked for once, when the match is over, §13.",
    ),
    "room/too-long": (
        "Entre ordinateurs seulement, une manche a {parties} parties gagnantes au plus.",
        "Among computers alone a manche is to {parties} parties at most.",
    ),
    "room/seat-taken": ("Cette place est déjà prise.", "That chair is already taken."),
    "room/not-due": ("Le délai n'est pas encore écoulé.", "The time is not out yet."),
}
