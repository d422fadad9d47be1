"""Why a season refuses an act, and what its command says."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    "season/not-opened": N_("The first act must open the season."),
    "season/opened-twice": N_("The season is open already."),
    "season/rules": N_(
        "These rules cannot count a season: places earn fewer points from the first to the last, nothing is negative, "
        "and something must be worth a point."
    ),
    "season/no-player": N_("Nobody has number %(number)s in this season."),
    "season/no-season": N_("%(file)s is not a season's file."),
    "season/not-over": N_(
        "The contest %(title)s is not over: finish it, or end it at its desk, and take it again."
    ),
    "season/no-sheet": N_(
        "This is no evening: choose a contest's file, a season's file, or what a desk gave for the season."
    ),
    "season/had-already": N_(
        "The evening %(title)s is in the season already, and nothing has changed since."
    ),
    "season/older": N_("The evening %(title)s is in the season already, from a newer file."),
    "season/other-state": N_(
        "The season has the evening %(title)s from another state of its contest: add the contest's file again first."
    ),
    "season/twice": N_("An evening needs players, each once."),
    "season/day": N_("“%(day)s” is not a day: write it as 2027-01-15."),
    "season/merged-already": N_("Number %(kept)s is that person already."),
    "season/both-played": N_("Numbers %(kept)s and %(other)s both played on %(day)s: they are two people."),
    "season/fee": N_("Write what was paid and its year; what is paid back cannot be more than was paid."),
    "season/announcement": N_(
        "An evening needs its day and hour, its place, and a price that is not negative."
    ),
    "season/no-evening": N_("No evening was announced under number %(evening)s."),
    "season/booked-already": N_("Number %(number)s is registered for this evening already."),
    "season/not-booked": N_("Number %(number)s is not registered for this evening."),
    "season/address": N_("%(address)s cannot be read (%(why)s): is that desk open, and on this network?"),
    "saison/made": N_("%(file)s is ready."),
    "saison/added": NN_(
        "%(title)s, %(day)s: %(num)s player; new: %(new)s.",
        "%(title)s, %(day)s: %(num)s players; new: %(new)s.",
    ),
    "saison/alike": N_(
        "Perhaps one person: %(one)s %(name)s and %(other)s %(like)s. If so: "
        "chouine saison merge %(file)s %(one)s %(other)s"
    ),
    "saison/merged": N_("Numbers %(kept)s and %(other)s are one person, %(name)s."),
    "saison/undone": N_("Act %(act)s is undone."),
    "saison/erased": N_("The name of number %(number)s is erased; the results stay."),
    "saison/listed": NN_("%(num)s person registered.", "%(num)s people registered."),
    "saison/row": N_("Row %(row)s: %(why)s"),
    "saison/counted": NN_(
        "%(rank)s. %(name)s: %(total)s, over %(num)s evening",
        "%(rank)s. %(name)s: %(total)s, over %(num)s evenings",
    ),
    "saison/empty": N_("No evening yet."),
    "saison/written": N_("%(file)s is written."),
    "saison/published": NN_(
        "%(num)s page is written in %(folder)s: put the whole folder on a web site, or open index.html.",
        "%(num)s pages are written in %(folder)s: put the whole folder on a web site, or open index.html.",
    ),
    "saison/announced": N_(
        "Evening %(evening)s is announced. To register somebody: chouine saison book %(file)s %(evening)s NAME"
    ),
    "saison/booked": N_("%(name)s has a place. Code to cancel: %(letters)s"),
    "saison/waits": N_("%(name)s is on the waiting list. Code to cancel: %(letters)s"),
    "saison/cancelled": N_("The registration is cancelled."),
    "saison/door": NN_(
        "%(num)s person entered in %(file)s, as not here yet: open it by “Run a contest” (chouine concours).",
        "%(num)s people entered in %(file)s, as not here yet: open it by “Run a contest” (chouine concours).",
    ),
    "saison/keeper": N_("The keeper’s pages; keep this address to yourself: %(address)s"),
    "saison/open": N_("The club’s page, for everybody: %(address)s"),
    "saison/act/opened": N_("Season opened"),
    "saison/act/ruled": N_("Rules of the season changed"),
    "saison/act/evening": N_("Evening added"),
    "saison/act/merged": N_("Two spellings made one person"),
    "saison/act/member": N_("Person corrected"),
    "saison/act/members": N_("List brought in"),
    "saison/act/paid": N_("Fee paid"),
    "saison/act/erased": N_("Name erased"),
    "saison/act/announced": N_("Evening announced"),
    "saison/act/booked": N_("Registered"),
    "saison/act/cancelled": N_("Registration cancelled"),
    "saison/act/undone": N_("Act undone"),
    "saison/no-code": N_("No registration has this code."),
}
