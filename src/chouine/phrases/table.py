"""Why the rules, a table or a score sheet refuse something: `illegal/…`, `table/…`, `match/…`, `name/…` and others."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "table/not-now": N_("Not now."),
    "table/not-your-turn": N_("It is not your turn to do that."),
    "table/busy": N_("The table is very busy; please try again."),
    "table/paused": N_("The table is paused: resume first."),
    "table/no-such-card": N_("That card has been drawn already: take another, §2."),
    "table/void-cut": N_("Void cut: at least four cards in each packet, §2."),
    "table/unreadable": N_("That is not a card: %(token)s."),
    "table/au-sept-open": N_("“Au sept”: wait until the others have answered, §11."),
    "table/nothing-to-pass": N_("Nothing to let pass: “au sept” is no longer open, §11."),
    "table/no-partie": N_("No partie is in progress."),
    "table/no-holiday": N_("Holidays are for slow matches in progress, one at a time."),
    "table/nothing-to-prepare": N_(
        "A card is prepared at a slow table while another plays, if it can be your turn after their card."
    ),
    "table/not-prepared": N_("Choose a card that is not in your hand, and one of your own to play."),
    "holiday/day": N_("Choose the first and the last day of your holiday."),
    "holiday/order": N_("The last day of a holiday cannot come before the first."),
    "holiday/past": N_("A holiday cannot begin before today."),
    "holiday/far": N_("A holiday can be planned for the next twelve months only."),
    "holiday/one": N_("You have a holiday already: end it before you take another."),
    "holiday/days": N_("Too long: in %(year)s you have %(days)s of 14 days of holiday left."),
    "table/no-pause": N_("There is no pause to ask for now."),
    "table/not-paused": N_("The table is not paused."),
    "table/no-such-phrase": N_("That phrase is not one of the table’s."),
    "table/no-revanche": N_("A revanche is asked for once, when the match is over, §13."),
    "table/not-rated": N_(
        "A match counts for the rating if it has a clock, you sit at one seat and invited people at the others, and no"
        " house rule is changed."
    ),
    "table/too-long": N_("Among computers alone a manche is to %(parties)s parties at most."),
    "table/manche-too-long": N_("At this table a manche is to %(parties)s parties at most, §13."),
    "table/said-enough": N_("Too much has been said at this table: let the cards speak."),
    "table/log-full": N_("This match has %(entries)s moves already: it can only be forfeited now."),
    "table/seat-taken": N_("That seat is already taken."),
    "table/no-help": N_("Help is for a player alone against the computer."),
    "table/unaided": N_("This table was opened without help."),
    "table/no-advice": N_("There is nothing more to advise here."),
    "table/nothing-to-take-back": N_("You have nothing to take back in this partie."),
    "table/not-due": N_("The time is not out yet."),
    # Why an action is refused: the codes of `rules.explain`. `suit` is the suit led, `trump` the trump suit
    "illegal/over": N_("The partie is over, §12."),
    "illegal/not-your-turn": N_("It is not your turn, §5."),
    "illegal/no-turnup": N_("No exchange in Mondoubleau: there is no turnup, §17."),
    "illegal/no-draw-left": N_("Too late to exchange the seven: no more draws from the talon, §11."),
    "illegal/seven-turned": N_("No exchange: the seven of trumps lies on the table, §11."),
    "illegal/no-seven": N_("You do not hold the seven of trumps, §11."),
    "illegal/card-awaited": N_("You have declared: now play your card, §9."),
    "illegal/seven-on-lead": N_("The seven is exchanged only when on lead, §11."),
    "illegal/seven-too-late": N_("No exchange once the last trick with a draw has come, §11."),
    "illegal/au-sept-asked": N_("“Au sept” comes first: exchange the seven or keep it, §11."),
    "illegal/au-sept-past": N_("“Au sept” was said and the trick has been led: no exchange any more, §11."),
    "illegal/not-held": N_("That card is not in your hand, §5."),
    "illegal/must-follow": N_("You still hold %(suit)s: you must follow suit, §8."),
    "illegal/must-head": N_("You can beat the %(suit)s on the table: you must head the trick, §8."),
    "illegal/must-ruff": N_("You have no %(suit)s but hold trumps (%(trump)s): you must ruff, §8."),
    "illegal/must-overruff": N_("You can beat the trump on the table (%(trump)s): you must overruff, §8."),
    "illegal/not-of-figure": N_("The card played must be one of the combination, §9."),
    "illegal/no-such-figure": N_("There is no such declaration with this many players, §9."),
    "illegal/declare-on-lead": N_("Declarations are made only when on lead, §9."),
    "illegal/figure-not-held": N_("You do not hold all the cards of that combination, §9."),
    "illegal/said-already": N_("That declaration has already been made, §9."),
    "illegal/suit-counted": N_("You have already declared in that suit, §9."),
    "illegal/figure-not-playable": N_("No card of that combination may be played now, §9."),
    # What a score sheet refuses (`match/…`), and its words for misdeals (§4) and faults (§15)
    "syntax/format": N_(
        "Unknown format: %(token)s. For example 5x2, two winning manches of five parties; 3, one manche."
    ),
    "match/one-manche": N_("With %(seats)s seats a match is one manche, §13."),
    "match/over": N_("The match is over, §13."),
    "match/not-over": N_("The match is not over, §13."),
    "match/no-draw": N_("No draw now: it is known who deals, §13."),
    "match/draw-first": N_("The draw for the deal must be made first, §2."),
    "match/cut-void": N_(
        "Void cut: each packet must have at least %(least)s cards; cut between %(least)s and %(most)s, §2."
    ),
    "match/entry": N_("This cannot stand on this score sheet: %(entry)s."),
    "match/data": N_("A score sheet that cannot be read: %(piece)s."),
    "match/version": N_("A score sheet of an unknown version: %(version)s (known: %(known)s)."),
    "match/misdeal/card-seen": N_("A card was seen by whom it was not meant for, §4."),
    "match/misdeal/wrong-deal": N_("The deal was not made as the rules say, §4."),
    "match/misdeal/pack-incomplete": N_("The pack is incomplete, §4."),
    "match/misdeal/hand-size": N_("A hand has too many cards, or too few, §4."),
    "match/misdeal/wrong-hand": N_("A player picked up another's hand, §4."),
    "match/fault/drew-others": N_("Drew the opponent's card, §15."),
    "match/fault/saw-others": N_("Saw the opponent's card, §15."),
    "match/fault/drew-two": N_("Drew two cards, §15."),
    # The score keeper
    "sheet/act": N_("That cannot be read: %(piece)s. Load the page again."),
    "sheet/full": N_("This sheet is full: begin a new one."),
    "sheet/not-now": N_("Not now: the sheet has moved on. Look at it again."),
    "sheet/figure": N_("There is no such declaration with so many players, §9."),
    "sheet/declared-already": N_(
        "This was declared already: a combination counts once, and in one suit only one of them, §9."
    ),
    "sheet/others-cards": N_(
        "The other player has declared with these cards: they were not in this hand, §9."
    ),
    "sheet/chouine-said": N_("After a chouine only another chouine counts, §10."),
    "sheet/agreed-already": N_("You have agreed already."),
    "sheet/two-only": N_("On the sheet this is for two players: with more, the count of all piles decides."),
    "sheet/count-heads": N_(
        "By aces and tens alone it is too close: kings, queens and jacks count %(heads)s. Count them too, §12."
    ),
    "sheet/piles": N_("Count the piles in one way: either points or cards."),
    "sheet/pile-missing": N_("A pile is missing from the count."),
    "sheet/sum": N_("That makes %(sum)s, and it must make %(whole)s: count again, §12."),
    "sheet/no-der": N_("Say who took the last trick: it counts 10, §12."),
    "sheet/no-count": N_("Count a pile: its points, or how many it has of each card."),
    "sheet/no-number": N_("The points of a pile are a number from 0 to %(most)s."),
    # Why two strangers are not paired: the codes `partners/…`
    "partners/gone": N_("That player is no longer waiting: somebody was quicker, or they left."),
    "partners/just-joined": N_(
        "Somebody at your address has just joined that player: choose another one, or try again in ten minutes."
    ),
    "partners/no-name": N_("Give a name: whoever wants to play with you sees it."),
    "partners/found": N_("You have a partner already: your table is open."),
    "partners/too-many": N_("You no longer play with %(most)s people: let one of them come back first."),
    # What cannot be done among people who know each other: the codes `people/…`
    "people/no-name": N_("Give a name first: the others see it."),
    "people/blocked": N_("You have blocked this person. Undo that first, on the page “Your circle”."),
    "people/not-asked": N_("This request is no longer there."),
    "people/too-many-asked": N_(
        "You have asked %(most)s people already. Wait for their answers, or withdraw a request."
    ),
    "people/too-many-friends": N_("One of you has %(most)s friends already, which is the most there can be."),
    "people/link-ended": N_("This link is no longer good. Ask for a new one: each is good for a week."),
    "people/not-challenged": N_("This person may not be challenged by you: that is how they have chosen it."),
    "people/too-many-challenges": N_(
        "You have %(most)s challenges open. Wait for the answers, or take one back."
    ),
    "people/challenged": N_("Your last challenge has no answer yet. Wait for it, or take it back."),
    "people/too-often": N_("You have challenged this person %(most)s times today. Try again tomorrow."),
    "people/too-late": N_("This challenge is over: its time has run out, or it was taken back or declined."),
    "people/other-seats": N_("These rules are for another number of players."),
    # What a server has closed: the codes `closed/…`
    "closed/strangers": N_(
        "Finding a partner is closed on this server for now. A friend can still be invited."
    ),
    "closed/contests": N_("No contest is announced or entered here for now. Those being played go on."),
    "closed/newcomers": N_(
        "This server takes no newcomers for now. Whoever has played here before goes on, and may invite by a link."
    ),
    "closed/levels": N_("Levels 7 and 8 are resting on this server for now. Choose an easier one."),
    "closed/offline": N_("The copy for play without a network is not offered here for now."),
    "closed/bot": N_(
        "This browser is a program's: it plays by its token alone, so that nobody meets a program unknowingly. Play in"
        " another browser."
    ),
    "closed/barred": N_(
        "For a time you cannot meet others here: the keeper of this server decided so about you or your network. If it"
        " is about you, “Your data” leads to the reason. You can go on playing against the computer."
    ),
    "closed/maintenance": N_(
        "The server rests for maintenance: nothing is lost, and play goes on by itself."
    ),
    # Why an act of the keeper is refused: the codes `order/…`
    "letters/no-address": N_("That is no e-mail address: write it as in anne@example.org."),
    "letters/held": N_(
        "No e-mail was sent: too many were asked for today, from your network or from this server. Ask again tomorrow,"
        " or have your browser tell you of your turn."
    ),
    "account/no-words": N_(
        "These are not the twelve words of a card: one is missing, or written wrongly. Compare them with the card."
    ),
    "account/no-card": N_("No account has this card: it was replaced by a new one, or removed."),
    "account/no-link": N_(
        "This link signs nobody in any more: it works once, for half an hour. Ask for another."
    ),
    "account/stale": N_("This page had been open for too long. It is fresh now: try again."),
    "account/passkey-unknown": N_("No account here has this passkey: it was removed, or is of another site."),
    "account/passkey-refused": N_("This passkey was not accepted. Try again, or sign in another way."),
    "order/nobody": N_("There is nothing and nobody named “%(text)s” here. Perhaps it has ended meanwhile."),
    "order/no-reason": N_("Give a reason: it is logged, and the person reads it."),
    "order/not-removed": N_("A person is not removed: name the match, the entry, the wait or the contest."),
    "order/banner": N_(
        "A banner has a French and an English text (--fr, --en), at most %(most)s characters each."
    ),
    # Why a name is refused: the codes `name/…`
    "name/blank": N_("This name would show nothing: it holds only invisible signs. Write one with letters."),
    "name/no-letter": N_("“%(name)s” is no name: a name has at least one letter."),
    "name/marks": N_("Too many accents on one letter: at most %(most)s."),
    "name/bot": N_("Names that begin with BOT are those of programs. Please choose another."),
    "name/rude": N_("Please choose another name: this one has a word that nobody should have to read."),
    "name/scripts": N_("“%(name)s” mixes letters of several alphabets: write the whole name in one."),
    # Why a token is not made, or a browser does not become a program's: the codes `token/…`
    "token/no-name": N_("Give a name."),
    "token/no-scope": N_("Choose at least one thing that the token allows."),
    "token/too-many": N_("You have %(most)s tokens, and no more are given: revoke one first."),
    "token/has-played": N_(
        "This browser has played, entered a contest or looked for a partner as a person, so it cannot become a"
        " program's: use a private window."
    ),
    "token/is-bot": N_("This browser is a program’s already."),
    "token/name-taken": N_("Another program here is called %(name)s."),
    # Why the API refuses a request: the codes `api/…`
    "api/which-seat": N_("You hold several seats at this table: add ?seat= and its letter."),
    "api/own-seat": N_("Say “me” for exactly one seat."),
    "api/started": N_("The match has begun, so the seat is kept: give the match up instead."),
    "api/link": N_("That is no link to a seat: it has the form /join/TABLE/SEAT/SECRET."),
}
