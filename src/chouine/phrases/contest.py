"""Why a contest or a season refuses an act, errors in their logs, and what their commands say."""

from chouine.phrases.catalogue import N_, NN_

PHRASES: dict[str, str | tuple[str, str]] = {
    # Entries
    "contest/number-taken": N_("Number %(number)s is taken already."),
    "contest/no-entry": N_("Nobody is entered under number %(number)s."),
    "contest/entries-closed": N_("Round 1 is closed: no more entries."),
    "contest/no-place": N_(
        "No place is left in round 1 for number %(number)s: undo the draw to make it again, or refuse "
        "the entry."
    ),
    "contest/present-already": N_("Number %(number)s is here already."),
    "contest/absent-already": N_("Number %(number)s is marked absent already."),
    "contest/drawn-already": N_("Number %(number)s has been drawn already: enter a forfeit or a withdrawal."),
    "contest/withdrawn-already": N_("Number %(number)s has withdrawn already."),
    "contest/details": N_("Family, village and meals are numbers from 0."),
    # Opening and choices
    "contest/opening": N_(
        "This cannot open a contest: a negative price, a room without name or table, or a malformed "
        "hash of the seed."
    ),
    "contest/formula": N_(
        "These choices do not go together (entries at a table, teams, poules, consolante, number of rounds)."
    ),
    "contest/match": N_(
        "Unknown format: %(text)s. For example 3x2, two winning manches of three parties; 3, one manche."
    ),
    "contest/one-manche": N_("With %(seats)s at a table a match is one manche (§13)."),
    "contest/empty": N_("This log has no acts."),
    "contest/not-opened": N_("The first act must open the contest."),
    "contest/opened-twice": N_("The contest is open already."),
    "contest/too-many": N_("You have %(most)s contests under way: let one end first."),
    "contest/too-many-here": N_(
        "Too many contests announced from this network are under way, %(most)s at most: let one end first."
    ),
    "contest/address-full": N_(
        "From this network no more may enter, %(most)s at most. If you are in a hall together, ask whoever announced "
        "the contest to open its page here and let the hall enter."
    ),
    "daily/no-name": N_("Write the name under which you wish to be listed."),
    "contest/busy": N_("Too many at once: try again."),
    "contest/started": N_("This contest has started: no more entries."),
    "contest/full": N_("This contest is full: %(most)s are entered."),
    "contest/entered-already": N_("You are entered already."),
    "contest/not-yours": N_("Only whoever announced the contest may do this."),
    "contest/your-opponent": N_(
        "You play at this table yourself: the clock decides whether the other forfeits."
    ),
    "contest/no-title": N_("Give the contest a name."),
    "contest/closed": N_(
        "The contest is closed: its seed is revealed. Only the desk can open it again, by undoing that."
    ),
    "contest/ended": N_("The contest was ended: undo that act to go on."),
    "contest/not-over": N_(
        "Tables still play, or a round is still to be drawn: the contest cannot be closed, but the desk can end it now."
    ),
    "contest/renewal": N_("Undoing the closing needs the hash of a new seed, and nothing else does."),
    "contest/undo-erased": N_(
        "Act %(act)s erased a name, and no undo brings it back: write the name again on its entry."
    ),
    "contest/fixed-draw": N_(
        "Round 1 is drawn: how it is played, who sits at a table and whom it keeps apart cannot change any more."
    ),
    "contest/deals": N_(
        "Round %(round)s: its draw must name the digest of each sealed deal, %(deals)s in all."
    ),
    "contest/deals-played": N_(
        "Table %(table)s: this is no result of a round of sealed deals, %(deals)s in all. A duplicate round takes the "
        "difference of points of each deal, a round of matches takes manches."
    ),
    "contest/too-few-to-compare": N_(
        "Duplicate compares those who hold the same cards: it needs %(fewest)s players at least."
    ),
    "contest/fixed-rounds": N_("%(rounds)s rounds are drawn: there cannot be fewer."),
    "contest/fixed-consolante": N_("The consolante is drawn: who may play it cannot change any more."),
    "contest/fixed-match": N_(
        "Round %(round)s is drawn, to be played as %(format)s: change only later rounds."
    ),
    "contest/fixed-rooms": N_("Tables are playing: change the rooms once this round is over."),
    "contest/say-forfeits": N_("Say of each who forfeited whether they play the consolante."),
    # Draws
    "contest/round-open": N_("Round %(round)s is not finished: results are missing."),
    "contest/all-rounds": N_("All %(rounds)s rounds are played."),
    "contest/too-few": N_("At least two entries must be here."),
    "contest/decided-already": N_("Nothing is left to draw: the winner is known."),
    "contest/no-consolante": N_("This contest has no consolante."),
    "contest/other-round": N_("Round %(round)s is the one to draw."),
    "contest/play-begun": N_("Round %(round)s is being played already."),
    "contest/no-card": N_("Touch the card that was cut, or write it: nothing was drawn."),
    "contest/card": N_("“%(card)s” is not a card of the pack."),
    "contest/first-table": N_("Tables are numbered from 1."),
    "contest/wrong-field": N_(
        "Round %(round)s: this draw does not hold exactly those still in, or not at the tables it must."
    ),
    "contest/no-solver": N_(
        "This draw needs networkx, which is not installed: pip install 'chouine[concours]'."
    ),
    # Results
    "contest/no-round": N_("Round %(round)s has not been drawn."),
    "contest/no-table": N_("There is no table %(table)s in round %(round)s."),
    "contest/no-open-table": N_("No table %(table)s awaits a result."),
    "contest/played-already": N_(
        "Table %(table)s has its result already (%(score)s, entered by %(by)s). To change it, correct it."
    ),
    "contest/nothing-to-correct": N_("Table %(table)s has no result to correct yet."),
    "contest/score": N_("%(score)s cannot be the result of a %(format)s match."),
    "contest/parties": N_("Parties %(parties)s: not possible in %(format)s with these manches."),
    "contest/boards": N_("Matches whose result is needed: %(boards)s."),
    "contest/equal-sums": N_("The two teams are equal: say which one goes on."),
    "contest/decided": N_("The sums name the winner already: there is nothing to decide."),
    "contest/no-forfeit": N_(
        "Number %(number)s cannot forfeit table %(table)s: it is played, or this entry does not sit there."
    ),
    "contest/winner-gave-up": N_("Number %(number)s has given up table %(table)s and cannot win it."),
    "contest/nobody-goes-on": N_(
        "A later round is drawn already and has no place for this change: undo that draw first."
    ),
    # The referee
    "contest/no-swap": N_("Numbers %(one)s and %(other)s do not sit at two different tables of this round."),
    "contest/no-swap-here": N_(
        "Entries change places only in the last round drawn, and not in poules (round %(round)s)."
    ),
    "contest/settled": N_("To settle a tie name at least two entries, each once."),
    "contest/prizes": N_("Write a number from 0 to 50 for each kind of prize."),
    "contest/no-act": N_("Act %(act)s does not exist, is the first, or is undone already."),
    "contest/undo-undo": N_("Act %(act)s is an undo: do again what it undid."),
    "contest/stands-on": N_(
        "Act %(act)s cannot be undone: act %(line)s stands on it. Undo that one first, or correct what is wrong."
    ),
    "contest/other-seed": N_("This is not the seed whose hash was published."),
    # Files
    "contest/file-exists": N_("%(file)s exists already: choose another name."),
    "contest/no-file": N_("There is no file %(file)s."),
    "contest/folder": N_("%(file)s is a folder, not a file."),
    "contest/no-contest": N_("%(file)s is not a contest's file, or it is damaged."),
    "contest/newer": N_("%(file)s comes from a newer Chouine: update the program."),
    "contest/broken-file": N_(
        "This file has been changed or damaged: the seal of its line %(line)s does not follow from the line before."
    ),
    # Reading a log
    "contest/broken": N_(
        "The seal does not follow from the line before: the log has been changed or damaged."
    ),
    "contest/json": N_("This is not JSON."),
    "contest/shape": N_("Cannot be read: %(piece)s."),
    "contest/no-copy": N_(
        "This contest has no second copy yet: plug a USB stick in and choose it under “Other laptops and phones”."
    ),
    "contest/copy-same": N_(
        "The second copy has to be on another disk: the contest itself is in %(folder)s."
    ),
    "contest/copy-away": N_(
        "The second copy (USB stick) is missing or behind: put the stick back in. Nothing is lost on this laptop."
    ),
    "contest/copy-refused": N_(
        "The second copy (USB stick) cannot be written: the stick is full, locked or damaged. Make space on it, or "
        "choose another one under “Other laptops and phones”. Nothing is lost on this laptop."
    ),
    "contest/copy-other": N_(
        "The second copy (USB stick) holds acts that are not here: another laptop has gone on with this contest. Go on "
        "with one of the two only; if it is this one, choose the stick again under “Other laptops and phones”."
    ),
    "contest/disk": N_("%(file)s: the disk refuses (%(why)s)."),
    "check/order": N_("Act %(line)s is expected here; %(found)s is found."),
    "check/time": N_("This act is dated before the act that precedes it."),
    "check/seal": N_(
        "No act of this log has the seal %(seal)s: it is not the log whose seal was noted, or not all of it."
    ),
    "check/draw": N_("Round %(round)s: the seed and the card cut make another draw."),
    "check/deals": N_(
        "Round %(round)s: the seed gives other sealed deals than those whose digests it named."
    ),
    "check/course": N_(
        "Table %(table)s, deal %(deal)s: with the cards of the seed these acts cannot be played."
    ),
    "check/difference": N_("Table %(table)s, deal %(deal)s: played again, it ends with another difference."),
    "check/exempt": N_("Round %(round)s: number %(number)s is exempt once more than others still in."),
    "check/avoidable": N_(
        "Round %(round)s: numbers %(one)s and %(other)s meet, which another draw would have avoided."
    ),
    "concours/breach": N_("Line %(line)s: %(why)s"),
    "concours/proven": N_(
        "All is in order. Acts: %(acts)s; entries: %(entries)s; draws made again, the same: %(draws)s."
    ),
    "concours/unproven": N_(
        "Nothing against the rules. Acts: %(acts)s; entries: %(entries)s; draws not made again: %(unproven)s. %(why)s"
    ),
    "concours/seal": N_("The seal of its last act, for a later check with --seal: %(seal)s"),
    "concours/empty-log": N_("%(file)s has no act: it is no contest's log."),
    "concours/no-seal": N_("--seal takes at least eight signs of a seal, 0 to 9 and a to f; not “%(text)s”."),
    "concours/no-seed": N_("The seed is not revealed yet."),
    "concours/more": NN_("… and %(num)s more line.", "… and %(num)s more lines."),
    "concours/made": N_("%(file)s is ready. Publish the hash of its seed before the first draw: %(commit)s"),
    "concours/resumed": N_("%(file)s takes the contest up at act %(acts)s; %(copy)s goes on as its copy."),
    "concours/erased": N_("The name of number %(number)s is erased; the results stay."),
    "concours/copy-away": N_(
        "The name of number %(number)s is erased here, but the copy cannot be reached: erase it there too."
    ),
    "concours/main-round": N_("Round %(round)s: entries %(entries)s, tables %(tables)s, exempt %(exempts)s"),
    "concours/consolante-round": N_(
        "Consolante, round %(round)s: entries %(entries)s, tables %(tables)s, exempt %(exempts)s"
    ),
    "concours/winner": N_("Number %(number)s wins the contest."),
    # The desk in the browser
    "concours/open": N_(
        "The desk is open. Other laptops and phones: %(address)s; their PINs are on the desk’s own page."
    ),
    "concours/port-taken": N_(
        "Port %(port)s is in use: is the desk open already in another window? Its page would be %(address)s. If "
        "another program has that port: chouine concours open --port 0"
    ),
    "concours/no-port": N_("Cannot listen on %(host)s, port %(port)s: %(why)s."),
    "concours/here": N_("This laptop: %(address)s"),
    "concours/window": N_(
        "Leave this window open. Ctrl-C closes the desk: everything is kept, and it opens again in the same way."
    ),
    "concours/firewall": N_(
        "If Windows asks whether Chouine may use the network, tick both kinds of network and allow it: without that no "
        "phone and no other laptop reaches this one."
    ),
    "contest/pin": N_("This is not the PIN of this role: ask the desk for it."),
    "contest/pin-wait": N_("Too many wrong PINs came from this device: try again in %(seconds)s s."),
    "contest/phone-confirmed": N_(
        "This phone has confirmed for one player: the other confirms on a phone of their own, or hand the slip in at "
        "the desk."
    ),
    "contest/phone-unknown": N_(
        "This phone keeps no cookies, so it cannot confirm: use another phone, or hand the slip in at the desk."
    ),
    "contest/no-name-kept": N_("The copy cannot be reached, or has no such name: write it again."),
    "contest/no-name": N_("Write the name."),
    "contest/no-reason": N_("Write the reason: it stays in the log."),
    "contest/no-number": N_("Write the number."),
    "contest/two-numbers": N_("Write the numbers of both players."),
    "contest/which-table": N_("Write the number of a table, or a name."),
    "contest/no-score": N_("Write the result."),
    "contest/no-such-player": N_("Nobody called “%(name)s” is at a table that still plays."),
    "contest/several-players": N_("Several tables fit “%(name)s”: write the number of the table."),
    "contest/empty-list": N_("There is nothing in this list: choose a file, or paste the list."),
    "contest/no-heading": N_(
        "Nothing says what is in the columns of this list: write a heading above them, such as Name and Village."
    ),
    "contest/heading-alone": N_("There is nobody in this list below its heading."),
    "contest/long-list": N_("This list is too long: %(most)s rows at most. Bring it in in parts."),
    "contest/nobody-new": N_("Nobody was entered: everybody on this list is entered already, or left out."),
    "contest/cell-long": N_("“%(text)s…” is too long: %(most)s letters at most."),
    "contest/cell-meals": N_("“%(text)s” is not a number of meals: write 0, 1, 2…"),
    "contest/cell-unclear": N_(
        "“%(text)s” says neither yes nor no: write x or leave it empty, or leave the column out."
    ),
    "contest/no-list": N_("This file is no list that can be read: save it as .ods, .xlsx or CSV."),
    "contest/price": N_("“%(price)s” is not a price: write 10 or 12,50."),
    "contest/room": N_(
        "“%(room)s”: write each room's name and how many tables stand in it: Salle des fêtes 30."
    ),
    "contest/hour": N_("Say the day and the hour until which losers may enter the consolante."),
    "contest/meanwhile": N_(
        "Done meanwhile by %(by)s at %(at)s: %(what)s. Look again, and do it if need be."
    ),
    "contest/other-now": N_(
        "Table %(table)s is no longer as you saw it; now: %(now)s. Look again, and do it if need be."
    ),
    # A drill: what made-up people say at the desk
    "drill/arrives": N_("%(name)s (%(village)s), on the list, is here and pays %(due)s."),
    "drill/new": N_("%(name)s (%(village)s) is not on the list, would like to play, and pays %(due)s."),
    "drill/twin": N_(
        "%(name)s (%(village)s) is not the one on the list, would like to play too, and pays %(due)s."
    ),
    "drill/absent": N_("A telephone call: %(name)s (%(village)s) will not come."),
    "drill/late": N_(
        "%(name)s (%(village)s) arrives late, has paid %(due)s, and asks whether there is still a place."
    ),
    "drill/draw": N_("Everybody is waiting for the draw. %(round)s!"),
    "drill/draw-consolante": N_("Those who have lost are waiting for the consolante. %(round)s!"),
    "drill/slip": N_("Table %(table)s hands its slip in: %(winner)s wins %(score)s."),
    "drill/leaves": N_("%(name)s feels unwell, goes home, and will not play any more."),
    "drill/quarrel": N_(
        "They quarrel at table %(table)s: the slip was filled in the wrong way round. All agree now: %(winner)s "
        "wins %(score)s. Correct it, with the reason."
    ),
    "drill/protest": N_(
        "Table %(table)s protests: this is not what its slip said. It said: %(winner)s wins %(score)s."
    ),
    "drill/close": N_("All is played: read out the palmarès, print it, and close the contest."),
    "desk/role/desk": N_("the desk"),
    "desk/role/referee": N_("referee"),
    "desk/role/entry": N_("entry at the door"),
    "desk/role/results": N_("results"),
    "desk/role/screen": N_("screen of the room"),
    "desk/act/opened": N_("Contest opened"),
    "desk/act/changed": N_("Settings changed"),
    "desk/act/entered": N_("Entry"),
    "desk/act/listed": N_("List brought in"),
    "desk/act/amended": N_("Details corrected"),
    "desk/act/present": N_("Marked as here"),
    "desk/act/away": N_("Marked as not here"),
    "desk/act/paid": N_("Paid"),
    "desk/act/drawn": N_("Round drawn"),
    "desk/act/called": N_("Round called"),
    "desk/act/played": N_("Result"),
    "desk/act/corrected": N_("Result corrected"),
    "desk/act/forfeited": N_("Forfeit"),
    "desk/act/withdrew": N_("Withdrawn"),
    "desk/act/swapped": N_("Places changed"),
    "desk/act/paired": N_("Pair set"),
    "desk/act/settled": N_("Equals settled"),
    "desk/act/prizes": N_("Prizes set"),
    "desk/act/undone": N_("Act undone"),
    "desk/act/ended": N_("Contest ended"),
    "desk/act/erased": N_("Name erased"),
    "desk/act/revealed": N_("Seed revealed"),
    # Seasons
    "season/not-opened": N_("The first act must open the season."),
    "season/opened-twice": N_("The season is open already."),
    "season/rules": N_(
        "These rules cannot count a season: places earn fewer points from the first to the last, nothing is negative, "
        "and something must be worth a point."
    ),
    "season/no-player": N_("Nobody has number %(number)s in this season."),
    "season/no-season": N_("%(file)s is not a season's file, or it is damaged."),
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
    "season/none-added": N_("No evening was added. “%(title)s” of %(day)s is refused: %(why)s"),
    "season/twice": N_("An evening needs players, each once."),
    "season/day": N_("“%(day)s” is not a day: write it as 2027-01-15."),
    "season/merged-already": N_("Number %(kept)s is that person already."),
    "season/both-played": N_("Numbers %(kept)s and %(other)s both played on %(day)s: they are two people."),
    "season/fee": N_("Write what was paid and its year; what is paid back cannot be more than was paid."),
    "season/announcement": N_(
        "An evening needs its day and hour, its place, and a price that is not negative."
    ),
    "season/full": N_("The waiting list of this evening is full: ask the club."),
    "season/too-fast": N_(
        "Too many registered from your network within an hour: try again later, or ask the club."
    ),
    "season/no-evening": N_("No evening was announced under number %(evening)s."),
    "season/booked-already": N_("Number %(number)s is registered for this evening already."),
    "season/not-booked": N_("Number %(number)s is not registered for this evening."),
    "season/answer": N_("%(address)s answers with error %(status)s: is it the address that the desk shows?"),
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
    "saison/no-evening": N_("There is no evening in %(file)s."),
    "saison/empty": N_("No evening yet."),
    "saison/written": N_("%(file)s is written."),
    "saison/published": NN_(
        "%(num)s page is written in %(folder)s: put the whole folder on a web site, or open index.html.",
        "%(num)s pages are written in %(folder)s: put the whole folder on a web site, or open index.html.",
    ),
    "saison/others-page": N_("%(file)s is not of a season: write the pages into a folder of their own."),
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
