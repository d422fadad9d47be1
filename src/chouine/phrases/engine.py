"""Players and the engine protocol: unreadable files, and faults of external programs."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "player/unknown": N_("Unknown player: %(token)s. Known: %(known)s."),
    "player/python": N_("No player %(token)s: %(why)s."),
    "player/setting": N_(
        "A program's command is followed by “;NAME=VALUE”, not “;%(token)s”. A semicolon of the command itself goes in "
        "quotation marks."
    ),
    "player/raised": N_("%(player)s ended with an error, %(error)s (%(place)s)."),
    "player/illegal-act": N_("%(player)s played %(action)s, which is not legal."),
    "player/no-act": N_("%(token)s is no player: it needs a method act(view)."),
    "engine/command": N_(
        "Unknown command: “%(token)s”. Known: hello, option, view, shown, exchanged, trick, legal, go, quit."
    ),
    "engine/too-long": N_("This line is longer than %(most)s characters."),
    "engine/quit": N_("“quit” stands alone on its line. Too much: “%(token)s”."),
    "engine/laid": N_("Not a seat and its card: “%(token)s”. For instance a:Qd."),
    "engine/option": N_("Unknown option: “%(token)s”. Known: level N."),
    "engine/level": N_("Unknown level: %(token)s. From 1 to %(highest)s."),
    "engine/limit": N_(
        "Limit not understood: “%(token)s”. Write go, go time N (milliseconds) or go nodes N."
    ),
    "engine/contradicts": N_(
        "“%(token)s” contradicts the view: these cards or this seat are impossible there."
    ),
    "engine/disclosed": N_("“%(token)s” has to tell one thing for each that the view's line holds."),
    "engine/no-view": N_("No view: give “view SEAT LINE” first."),
    "engine/none": N_("There is no such program: %(command)s."),
    "engine/forbidden": N_("This program may not be run: %(command)s."),
    "engine/command-line": N_(
        "This command line is empty, or a quotation mark in it is not closed: %(command)s."
    ),
    "engine/start": N_("The program does not start: %(command)s."),
    "engine/silent": N_("The program gave no answer in %(seconds)s s: %(command)s."),
    "engine/deaf": N_("The program no longer reads what it is told: %(command)s."),
    "engine/ended": N_("The program %(command)s has closed its input or output."),
    "engine/exited": N_("The program %(command)s has ended with exit code %(status)s."),
    "engine/killed": N_("The program %(command)s was ended by signal %(signal)s."),
    "engine/unfinished": N_(
        "The program %(command)s sent “%(token)s” without a line feed, then nothing for the rest of %(seconds)s s. "
        "Each line must end with a line feed, and the output must be flushed."
    ),
    "engine/long-line": N_("The program %(command)s sent a line longer than %(most)s bytes."),
    "engine/no-option": N_("The program %(command)s has no option “%(token)s”. It names: %(known)s."),
    "engine/option-refused": N_(
        "The program %(command)s named this option and answered it with an error: %(option)s: “%(token)s”."
    ),
    "engine/rules": N_("The program does not play these rules: %(command)s, %(rules)s."),
    "engine/unreadable": N_(
        "Unexpected answer from the program %(command)s: “%(token)s”. Expected: %(expected)s."
    ),
    "engine/illegal": N_("The program %(command)s answered “%(token)s”, which is not legal."),
    "engine/refused": N_("The program %(command)s answered with an error: “%(token)s”."),
}
