"""Problems to solve, and what they are about."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    "problem/unreadable": N_("This text is no problem."),
    "problem/line": N_(
        "%(file)s, line %(line)s: this is no problem. Make the file again: chouine problems make."
    ),
    "problem/file": N_(
        "%(file)s is no file of problems, problems.jsonl.gz, as chouine problems make makes one."
    ),
    "problem/draft": N_(
        "%(file)s, line %(line)s: this draft is damaged. Delete this line and those after it, then go on."
    ),
    "problem/part": N_("There are no problems called %(token)s to make: %(known)s."),
    "problem/packed": NN_("%(num)s problem in %(file)s.", "%(num)s problems in %(file)s."),
    "problem/fails": N_("%(name)s does not stand: %(line)s"),
    "problem/verified": NN_("%(good)s of %(num)s problem stands.", "%(good)s of %(num)s problems stand."),
    "theme/seven": N_("The seven, now or later"),
    "theme/hold": N_("Hold a declaration"),
    "theme/trumps": N_("Keep trumps"),
    "theme/der": N_("The last trick's ten points"),
    "theme/ruff": N_("Force a ruff"),
    "theme/chouine": N_("A chouine threatens"),
    "theme/lead": N_("Who must lead?"),
    "theme/count": N_("The exact count"),
}
