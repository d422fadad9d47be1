"""Feedback in a lesson, with the rule as its reason, and problems to solve."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    "lesson/takes-trump": N_("%(best)s is the highest trump in the trick."),
    "lesson/takes-suit": N_("%(best)s is the highest card of the suit led, and the trick has no trump."),
    "lesson/lower": N_("%(best)s beats %(card)s."),
    "lesson/trump-takes": N_("%(best)s is a trump: it takes any card of another suit."),
    "lesson/other-suit": N_("%(card)s is neither of the suit led, %(suit)s, nor a trump: it cannot take."),
    "lesson/not-allowed": N_("%(card)s is not allowed. %(why)s"),
    "lesson/also-allowed": N_("You may also play %(cards)s."),
    "lesson/any-allowed": N_("All your cards are allowed here: mark every one of them."),
    "lesson/all-allowed": N_("Those are all the cards allowed."),
    "lesson/sum-right": N_("%(total)s."),
    "lesson/sum-wrong": N_("The count is: %(total)s."),
    "lesson/unreadable": N_("Choose one of the answers on the page."),
    "lesson/choose-one": N_("Choose one answer."),
    "guide/silent": N_(
        "This card belongs to a declaration that you may make while playing it. Without a word you lose those points."
    ),
    "guide/seven-away": N_(
        "That is the seven of trumps: exchange it for the turnup first, it costs nothing."
    ),
    "guide/brisque-away": N_(
        "This card is worth ten points or more and does not take the trick: you give it to Lucien."
    ),
    "guide/unreadable": N_("This address leads to no moment of the partie: begin it again."),
    "school/progress-unreadable": N_("That is not a file of progress: it cannot be read."),
    "school/progress-shape": N_("That is not a file of progress: “%(place)s” is not as it should be."),
    "class/no-such-code": N_(
        "No class has this code: compare it with the board. A class ends with the school year, and its code with it."
    ),
    "class/first-name": N_(
        "A first name alone, such as Léa or Jean-Luc; where two have the same, with an initial: Léa M."
    ),
    "class/same-name": N_(
        "Somebody else in the class is called %(name)s: add the first letter of the family name. After a change of"
        " device, the teacher first removes the old one."
    ),
    "class/full": N_("This class is full: %(most)s pupils at most. Tell the teacher."),
    "class/too-many": N_("A teacher has %(most)s classes at most: close one first."),
    "lesson/no-number": N_("“%(text)s” is no number of points: write it in digits, for example 21."),
    "lesson/number-expected": N_("Write a number of points, in digits, for example 21."),
    # Problems to solve, and what they are about
    "problem/unreadable": N_("This text is no problem."),
    "problem/line": N_(
        "%(file)s, line %(line)s: this is no problem. Make the file again: chouine problems make."
    ),
    "problem/none": N_("There is no problem in %(file)s."),
    "problem/file": N_(
        "%(file)s is no file of problems, problems.jsonl.gz, as chouine problems make makes one."
    ),
    "problem/draft": N_(
        "%(file)s, line %(line)s: this draft is damaged. Delete this line and those after it, then go on."
    ),
    "daily/short-seed": N_(
        "%(file)s holds fewer than %(least)s characters, which could be guessed: let chouine daily make write it."
    ),
    "daily/too-late": N_("The last day is %(last)s: ask for fewer days, or begin earlier."),
    "problem/part": N_("There are no problems called %(token)s to make: %(known)s."),
    "problem/packed": NN_("%(num)s problem in %(file)s.", "%(num)s problems in %(file)s."),
    "problem/fails": N_("%(name)s does not stand: %(line)s"),
    "problem/verified": NN_("%(good)s of %(num)s problem stands.", "%(good)s of %(num)s problems stand."),
    "theme/seven": N_("The seven, now or later"),
    "theme/hold": N_("Hold a declaration"),
    "theme/trumps": N_("Keep trumps"),
    "theme/der": N_("The last trick’s ten points"),
    "theme/ruff": N_("Force a ruff"),
    "theme/chouine": N_("A chouine threatens"),
    "theme/lead": N_("Who must lead?"),
    "theme/count": N_("The exact count"),
}
