"""Texts of a table in the terminal, and the events of a partie. `…/you` addresses the seat that `name` names."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    "terminal/turned": N_("Turnup: %(card)s, trumps are %(suit)s."),
    "terminal/no-turnup": N_("No turnup: a declaration will fix trumps."),
    "terminal/worth": N_(" (+%(points)s)"),
    "terminal/wins": N_(" (wins the partie)"),
    # The page
    "terminal/manche": N_("Manche %(manche)s, partie %(partie)s"),
    "terminal/belle": N_("Belle, partie %(partie)s"),
    "terminal/trump": N_("Trumps %(suit)s %(symbol)s"),
    "terminal/no-trump": N_("No trumps yet"),
    "terminal/turnup": N_("turnup %(card)s"),
    "terminal/talon": N_("talon %(cards)s"),
    "terminal/declared": N_("Declarations: %(told)s"),
    "terminal/own": NN_(
        "Your tricks: %(tricks)s; with declarations %(num)s point",
        "Your tricks: %(tricks)s; with declarations %(num)s points",
    ),
    "terminal/table": N_("Table:  %(cards)s"),
    "terminal/last-trick": N_("Last trick:  "),
    "terminal/hand": N_("Your hand:"),
    "terminal/may-declare": N_("You may declare: %(figure)s%(worth)s: %(numbers)s or +%(token)s"),
    "terminal/may-exchange": N_("You may exchange: 7 to take %(card)s for the seven"),
    "terminal/legal": N_("You may play: %(cards)s"),
    "terminal/no-trick": N_("No trick."),
    "terminal/score": N_("Score: %(score)s"),
    # Before the deal
    "terminal/spread": N_("The pack is spread: each draws a card, the lowest deals."),
    "terminal/pick": N_("%(name)s, which card (1-%(most)s)?"),
    "terminal/picked": N_("%(name)s draws %(card)s."),
    "terminal/tied": N_("Equal lowest: all draw again."),
    "terminal/will-deal": N_("%(name)s has the lowest: %(name)s deals."),
    "terminal/shuffles": N_("%(name)s shuffles and offers the pack to cut."),
    "terminal/cuts": N_("%(name)s cuts %(at)s cards down."),
    "terminal/cut": N_("%(name)s, cut: how many cards (%(least)s-%(most)s)?"),
    # Questions
    "terminal/turn": N_("Your turn, %(name)s (? for help):"),
    "terminal/seven": N_("Au sept, %(name)s: 7 to exchange, Enter to let it pass:"),
    "terminal/enter": N_("Enter to go on"),
    "terminal/pass-screen": N_("The screen is %(name)s's, and %(name)s's alone."),
    "terminal/concede": N_("Give up: p this partie, m the match, Enter to play on:"),
    "terminal/revanche": N_("Revanche? (y/n)"),
    "terminal/help": N_(
        "2, Q♦ or Qd: play that card\n"
        "2+ or Q♦+20d: play it and declare (20 mariage, 30 tierce, 40 quarteron of a suit s h d c; 50 "
        "quinte, 30 trente, ch chouine)\n"
        "7: exchange the seven of trumps\n"
        "t: your tricks · d: the others' last trick · s: the score\n"
        "?8: chapter 8 of the rules · c: give up · q: save and quit"
    ),
    # Answers that will not do
    "terminal/not-understood": N_("I do not understand “%(text)s”. ? for help."),
    "terminal/no-such-number": N_("Your cards are numbered from 1 to %(most)s."),
    "terminal/nothing-to-declare": N_("Nothing to declare with that card, §9."),
    "terminal/which-declaration": N_("More than one declaration is possible: add %(tokens)s after the +."),
    "terminal/no-such-place": N_("Choose a card still on the table, from 1 to %(most)s."),
    "terminal/no-such-chapter": N_("The rules have chapters 1 to %(most)s."),
    # Ends
    "terminal/count/cards": N_("Cards"),
    "terminal/count/ace": N_("Aces at %(points)s"),
    "terminal/count/ten": N_("Tens at %(points)s"),
    "terminal/count/king": N_("Kings at %(points)s"),
    "terminal/count/queen": N_("Queens at %(points)s"),
    "terminal/count/jack": N_("Jacks at %(points)s"),
    "terminal/count/tricks": N_("Tricks"),
    "terminal/count/der": N_("Dix de der"),
    "terminal/count/total": N_("Total"),
    "terminal/short-count": N_("Short count (brisques, declarations, der): %(points)s"),
    "terminal/nulle": N_("Nulle: nobody scores, §12."),
    "terminal/partie-won/points": N_("%(name)s wins the partie."),
    "terminal/partie-won/chouine": N_("Chouine! %(name)s wins the partie."),
    "terminal/partie-won/concede": N_("The partie is conceded: %(name)s wins."),
    "terminal/manche-won": N_("%(name)s wins manche %(manche)s, %(score)s."),
    "terminal/sous-la-table": N_("%(name)s goes under the table!"),
    "terminal/to-the-belle": N_("One manche all: the belle, and a new draw."),
    "terminal/match-won": N_("%(name)s wins the match."),
    "terminal/match-shared": N_("The match is forfeited, with no winner."),
    "terminal/manches": N_("Manches: %(scores)s"),
    # The command
    "terminal/name": N_("“%(name)s” is no name at this table: 20 signs at most, without “;”."),
    "terminal/name-twice": N_("“%(name)s” cannot sit at two seats: give two different names."),
    "terminal/kept": N_("The match is kept in %(path)s; “chouine play%(saved)s” takes it up again."),
    "terminal/damaged": N_("This save cannot be read."),
    "terminal/no-save": N_("%(path)s is no saved match: name another file by --save."),
    "terminal/damaged-aside": N_(
        "The save %(path)s cannot be read; it is set aside as %(aside)s. Run again for a new match."
    ),
    "terminal/in-progress": N_(
        "A match is in progress in %(path)s: “chouine play%(saved)s” takes it up again, --new drops it."
    ),
    "terminal/busy": N_("The match in %(path)s is already open elsewhere; play another with --save FILE."),
    "terminal/nothing-to-resume": N_("No match in progress in %(path)s."),
    "terminal/seat-setting": N_(
        "“%(setting)s” does not say who sits where: for example b=heuristic. Seats: %(seats)s."
    ),
    "terminal/player-fault": N_("%(name)s cannot go on: %(why)s"),
    "terminal/stands-in": N_("%(name)s cannot go on: %(why)s Somebody who plays at level 6 takes the seat."),
    "terminal/no-answer": N_("%(name)s plays nothing."),
    # The chapters in a sentence
    # The events of a partie. `…/you` addresses the seat that `name` names
    "event/someone": N_("Someone"),
    "event/deals": N_("%(name)s deals."),
    "event/deals/you": N_("You deal."),
    "event/declares": N_("%(name)s: “%(said)s”"),
    "event/declares/you": N_("You: “%(said)s”"),
    "event/declares-points": N_("%(name)s: “%(said)s” (%(points)s points)"),
    "event/declares-points/you": N_("You: “%(said)s” (%(points)s points)"),
    "event/trump-fixed": N_("Trumps are %(suit)s."),
    "event/plays": N_("%(name)s plays %(card)s."),
    "event/plays/you": N_("You play %(card)s."),
    "event/shows": N_("%(name)s shows %(cards)s."),
    "event/shows/you": N_("You show %(cards)s."),
    "event/takes": N_("%(name)s takes the trick."),
    "event/takes/you": N_("You take the trick."),
    "event/takes-points": N_("%(name)s takes the trick (%(points)s)."),
    "event/takes-points-der": N_("%(name)s takes the trick (%(points)s, dix de der included)."),
    "event/takes-points-der/you": N_("You take the trick (%(points)s, dix de der included)."),
    "event/takes-points/you": N_("You take the trick (%(points)s)."),
    "event/draws": N_("%(name)s draws a card."),
    "event/draws-card": N_("%(name)s draws %(card)s."),
    "event/draws-card/you": N_("You draw %(card)s."),
    "event/draws-turnup": N_("%(name)s draws the turnup, %(card)s."),
    "event/draws-turnup/you": N_("You draw the turnup, %(card)s."),
    "event/au-sept": N_("%(name)s says: “Au sept”."),
    "event/au-sept/you": N_("You say “Au sept”."),
    "event/exchanges": N_("%(name)s exchanges %(seven)s for %(card)s."),
    "event/exchanges/you": N_("You exchange %(seven)s for %(card)s."),
}
