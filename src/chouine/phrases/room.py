"""Why a table refuses a command: the codes `room/…`."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "room/not-now": N_("Not now."),
    "room/not-your-turn": N_("It is not for you to do that now."),
    "room/busy": N_("The table is very busy; please try again."),
    "room/paused": N_("The table is paused: resume first."),
    "room/no-such-card": N_("That card has been drawn already: take another, §2."),
    "room/void-cut": N_("Void cut: at least four cards in each packet, §2."),
    "room/unreadable": N_("That is not a card: %(token)s."),
    "room/au-sept-open": N_("“Au sept”: wait until the others have answered, §11."),
    "room/nothing-to-pass": N_("Nothing to let pass: “au sept” is no longer open, §11."),
    "room/no-partie": N_("No partie is in progress."),
    "room/no-pause": N_("There is no pause to ask for now."),
    "room/not-paused": N_("The table is not paused."),
    "room/no-such-phrase": N_("That phrase is not one of the table's."),
    "room/no-revanche": N_("A revanche is asked for once, when the match is over, §13."),
    "room/too-long": N_("Among computers alone a manche is to %(parties)s parties at most."),
    "room/manche-too-long": N_("At this table a manche is to %(parties)s parties at most, §13."),
    "room/said-enough": N_("Too much has been said at this table: let the cards speak."),
    "room/log-full": N_("This match has %(entries)s moves already: it can only be forfeited now."),
    "room/seat-taken": N_("That seat is already taken."),
    "room/no-help": N_("Help is for who plays alone against the computer."),
    "room/no-advice": N_("There is nothing more to advise here."),
    "room/nothing-to-take-back": N_("You have nothing to take back in this partie."),
    "room/not-due": N_("The time is not out yet."),
}
