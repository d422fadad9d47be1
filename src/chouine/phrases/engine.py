"""Players, external programs, duels and environments: their faults, and comments on a partie."""

from chouine.phrases.catalogue import N_

PHRASES: dict[str, str | tuple[str, str]] = {
    "player/unknown": N_("Unknown player: %(token)s. Known: %(known)s."),
    "player/python": N_("No player %(token)s: %(why)s."),
    "player/setting": N_(
        "A program's command is followed by “;NAME=VALUE”, not “;%(token)s”. A semicolon of the command itself goes in "
        "quotation marks."
    ),
    "player/raised": N_("%(player)s ended with an error, %(error)s (%(place)s)."),
    "player/not-an-act": N_("%(player)s answered %(answer)s, which is no act: a Play, an Exchange or None."),
    "player/illegal-act": N_("%(player)s played %(action)s, which is not legal."),
    "player/no-act": N_("%(token)s is no player: it needs a method act(view)."),
    "engine/command": N_(
        "Unknown command: “%(token)s”. Known: hello, option, view, shown, exchanged, trick, legal, go, quit."
    ),
    "engine/too-long": N_("This line is longer than %(most)s characters."),
    "engine/quit": N_("“quit” stands alone on its line. Too much: “%(token)s”."),
    "engine/laid": N_("Not a seat and its card: “%(token)s”. For instance a:Qd."),
    "engine/option": N_("Not an option: “%(token)s”. Write option level N."),
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
    "engine/unasked": N_("The program %(command)s answered without being asked: “%(token)s”."),
    "engine/refused": N_("The program %(command)s answered with an error: “%(token)s”."),
    # Messages of duels and pools
    "arena/other-duel": N_(
        "%(file)s is the log of another duel: players, rules, seed, time, parties kept or version of Chouine."
    ),
    "jobs/left": N_("%(counted)s, time left: %(left)s"),
    "jobs/interrupted": N_("Interrupted. The same command goes on."),
    "jobs/about": N_("%(why)s (at: %(item)s)"),
    "jobs/busy": N_("%(file)s: another command is writing this log. Wait for its end, or name another log."),
    "jobs/other": N_(
        "%(file)s is the log of another job, or of the same with other settings or another version of Chouine."
    ),
    "book/written": N_("The book is in %(folder)s."),
    "arena/no-log": N_("%(file)s is not the log of such a job."),
    "arena/bad-line": N_("%(file)s, line %(line)s: unreadable."),
    "arena/lost-records": N_("%(file)s no longer holds the parties that the log has put there."),
    "arena/sprt": N_("A sequential test goes from a low bound to a high one; got %(low)s and %(high)s."),
    "arena/no-ray": N_("Ray is not installed: pip install 'chouine[cluster]'."),
    "arena/cluster-address": N_("Write a Ray cluster as HOST:PORT, not %(address)s."),
    "arena/no-cluster": N_("No Ray cluster at %(address)s: %(why)s"),
    "arena/fault": N_("%(player)s, pair %(pair)s: %(what)s The partie is lost. Asked: %(line)s"),
    "arena/late": N_("A decision took %(seconds)s s; %(limit)s s were allowed."),
    "leaderboard/none": N_("There is no entry of a leaderboard in %(file)s."),
    "leaderboard/line": N_("%(file)s, line %(line)s: this is no entry of a leaderboard."),
    "leaderboard/digest": N_("The SHA-256 of the seed is another one than the entry says."),
    "leaderboard/file": N_("The file %(file)s is not here, or is another one than the player had."),
    "leaderboard/program": N_(
        "Not verified: the entry runs a program. Read what it is, then give --run-programs."
    ),
    "leaderboard/name": N_("The player is called %(found)s, not %(said)s."),
    "leaderboard/pair": N_(
        "Pair %(number)s came out otherwise: written %(said)s, played %(found)s (w won, l lost, n nulle)."
    ),
    "leaderboard/rate": N_(
        "The parties agree, the rate, its interval or the faults do not: written %(said)s, played %(found)s."
    ),
    "leaderboard/good": N_("The same, played again. Pairs: %(pairs)s."),
    "arena/sealed": N_("SHA-256 of the secret seed: %(digest)s"),
    "arena/unsealed": N_("secret seed: %(seed)s (SHA-256: %(digest)s)"),
    "arena/number": N_("After the colon stands a number from 1 to %(most)s, not “%(token)s”."),
    "arena/two-seats": N_("The player %(token)s is for parties of two players only."),
    "arena/missing": N_(
        "The player %(token)s needs %(package)s, which is not installed: pip install 'chouine[fast]'."
    ),
    "arena/pool": N_("A pool has two players at least, no two alike."),
    "jobs/worker-ended": N_("One of the processes has ended abruptly."),
    "arena/illegal": N_("%(player)s played %(action)s, which is not legal. Asked: %(line)s"),
    "arena/kept": N_("Interrupted. Pairs in %(file)s: %(pairs)s. The same command goes on."),
    "arena/rate": N_("%(a)s against %(b)s: %(rate)s (%(low)s to %(high)s)"),
    "arena/tally": N_(
        "pairs: %(pairs)s; parties: %(parties)s, won %(wins)s, lost %(losses)s, nulles %(nulles)s"
    ),
    "arena/spread": N_("shares by pair: %(spread)s"),
    "arena/adjusted": N_(
        "share of %(a)s, nulles included, less the luck of the cards: %(share)s (%(low)s to %(high)s)"
    ),
    "arena/time": N_("a decision: %(a)s %(seconds_a)s ms, %(b)s %(seconds_b)s ms"),
    "arena/faults": N_("parties lost by a player at fault: %(a)s %(faults_a)s, %(b)s %(faults_b)s"),
    "arena/undecided": N_(
        "sequential test %(low)s to %(high)s (normalised Elo): ratio %(ratio)s, no verdict"
    ),
    "arena/better": N_(
        "sequential test %(low)s to %(high)s (normalised Elo): ratio %(ratio)s, %(high)s is accepted"
    ),
    "arena/not-better": N_(
        "sequential test %(low)s to %(high)s (normalised Elo): ratio %(ratio)s, %(low)s is accepted"
    ),
    "plot/duel": N_("%(a)s against %(b)s: share of decided parties, by pairs played"),
    "plot/pairs": N_("pairs"),
    "plot/shares": N_("Pairs by the share that A won"),
    "plot/ratings": N_("Elo, with confidence intervals"),
    "arena/head-player": N_("player"),
    "arena/head-rating": N_("Elo"),
    "arena/head-mean": N_("ms a decision"),
    "arena/head-p99": N_("99 of 100 below"),
    "arena/head-longest": N_("longest"),
    "conform/greeting": N_("answer to “hello”, up to the line “ready”"),
    "conform/says": N_("name, presets and settings: %(program)s; %(rules)s; %(settings)s"),
    "conform/unnamed": N_("no name"),
    "conform/every-preset": N_("all presets"),
    "conform/every-setting": N_("all settings"),
    "conform/no-setting": N_("no settings"),
    "conform/options": N_("an answer after “%(options)s”"),
    "conform/parties": N_("parties of %(rules)s, every answer legal and in time"),
    "conform/some": N_(
        "parties of %(rules)s, every answer legal and in time; ended after %(seconds)s s (answers: %(answers)s) "
        "because the program is slow"
    ),
    "conform/limit": N_("answer to “%(limit)s”"),
    "conform/refuses": N_("an error for “%(line)s”"),
    "conform/forgets": N_("an error for “go” after an unreadable view"),
    "conform/impossible": N_("an error for the impossible “%(line)s”, or for “go” after it"),
    "conform/goes-on": N_("an answer after errors"),
    "conform/quit": N_("the end at “quit”"),
    "conform/end": N_("the end at the end of its input"),
    "conform/ok": N_("ok     %(what)s"),
    "conform/fault": N_("FAULT  %(what)s: %(why)s"),
    "conform/skipped": N_("SKIP   %(what)s: not tested, because of the fault above"),
    "conform/all": N_("The program keeps the engine protocol."),
    "conform/faults": N_("Faults: %(faults)s. The protocol is described in docs/notation.md."),
    "conform/no-name": N_("the greeting has no line “id name …”."),
    "conform/repeated": N_("a line of the greeting comes twice: “%(token)s”."),
    "conform/stays": N_("the program still runs %(seconds)s s after “quit”."),
    "conform/stays-at-end": N_("the program still runs %(seconds)s s after the end of its input."),
    "conform/bare-error": N_("“error” must be followed by a code and a text. Got: “%(token)s”."),
    # Errors of the research environment
    "research/missing": N_("%(package)s is not installed: pip install 'chouine[%(extra)s]'."),
    "research/no-such-action": N_("There is no action %(action)s: they go from 0 to 51."),
    "research/no-au-sept": N_("There is no “au sept” to let pass (§11)."),
    "research/illegal": N_("Action %(number)s is not one of legal_actions() now."),
    "research/pack": N_(
        "%(cards)s cards cannot be dealt as %(seats)s hands of %(hand)s (1 to %(most)s cards each) and "
        "a turnup if one is due."
    ),
    "research/chance": N_("A card is awaited, not a decision: there is no other world to draw."),
    "research/count": N_("There must be one party and one thread at least; got %(parties)s and %(threads)s."),
    "research/simulations": N_("There must be one simulation a decision at least; got %(simulations)s."),
    "research/opponent": N_(
        "'%(opponent)s' is no opponent: %(known)s, a player, or a function of observations and masks."
    ),
    "research/pool": N_(
        "There must be one opponent at least, and a weight for each; got %(opponents)s and %(weights)s."
    ),
    "research/weight": N_("An opponent's weight is a number above 0; got %(weight)s."),
    "research/options": N_("Unknown options of reset(): %(options)s."),
    "research/reset-mask": N_(
        "reset_mask is an array of %(count)s booleans, one a party, once all are dealt."
    ),
    "research/render": N_("Unknown render mode: %(mode)s. Known: %(known)s."),
    "research/slow": N_(
        "Without numba this environment is a hundred times slower: pip install 'chouine[research]'."
    ),
    "research/folder": N_("%(folder)s is not empty: name a new folder."),
    "research/lost": N_("%(file)s is missing or has lost what was written: name a new folder."),
    "research/unfinished": N_("%(folder)s holds the beginning of another data set: name a new folder."),
    "research/parquet": N_("Parquet needs pyarrow: pip install 'chouine[parquet]'."),
    "research/not-reset": N_("Nothing is dealt: call reset() first."),
    # Why the end of a partie cannot be solved exactly
    "endgame/two-seats": N_(
        "Only a partie of two players is solved like this; with three or four, ask what one seat is sure of."
    ),
    "endgame/hand-unknown": N_("The hand of seat %(seat)s is not fully known."),
    "endgame/talon-unknown": N_("Not all the talon's cards still to be drawn are known."),
    "endgame/too-deep": N_("Too many ways to go on for an exact answer from here."),
    # Computer players, and their comments on a partie
    "network/weights": N_(
        "%(path)s does not hold weights for this network: install chouine again, or train anew."
    ),
    "network/no-file": N_("%(path)s: there is no such file."),
    "network/none": N_("There is no network for “%(preset)s”."),
    "thinking/no-compiler": N_("Thinking ahead in many worlds needs numba: pip install 'chouine[fast]'."),
    "level/unknown": N_("There is no level %(number)s: %(levels)s."),
    "level/needs-fast": N_(
        "Level %(number)s thinks ahead in many worlds: it needs numba, pip install 'chouine[fast]'."
    ),
    "advice/first": N_(
        "For now, without thinking ahead: %(act)s. Advice follows once it is compiled, which takes half a minute on a"
        " free core, and is done once (chouine warm does it in advance)."
    ),
    "advice/act": N_("%(act)s: %(win)s chance to win (%(low)s to %(high)s)"),
    "advice/behind": N_(
        "%(act)s: %(win)s chance to win (%(low)s to %(high)s), behind the best by %(behind)s ± %(error)s"
    ),
    "advice/sure": N_("%(act)s: %(win)s chance to win"),
    "advice/line": N_("What is likely to follow: %(line)s"),
    "advice/best-line": N_("If both play their best: %(line)s"),
    "advice/why": N_("%(best)s rather than %(second)s: %(why)s"),
    "advice/world": N_("Tried in one likely layout of the hidden cards."),
    "advice/worlds": N_(
        "Tried in %(worlds)s likely layouts of the hidden cards, against level 8; in brackets the 95%% interval."
    ),
    "advice/worlds-between": N_(
        "Each action was tried in %(fewest)s to %(worlds)s likely layouts of the hidden cards, against level 8; in "
        "brackets the 95%% interval."
    ),
    "advice/certain": N_("%(act)s: %(outcome)s"),
    "advice/settled": N_("Certain, whatever the hidden cards are%(because)s"),
    "advice/because": N_(": %(why)s"),
    "advice/exact": N_("All hands are known: this is certain."),
    "advice/equilibrium": N_(
        "Worked out over every hand that the other side may hold, as if it too played its best; moves "
        "worth the same are best played now one, now another."
    ),
    "advice/column-act": N_("act"),
    "advice/column-win": N_("chance to win"),
    "advice/column-between": N_("95%% interval"),
    "advice/column-behind": N_("behind the best by"),
    "advice/impossible": N_("No deal allows what was played: check the cards in this line."),
    "outcome/lost": N_("lost"),
    "outcome/nulle": N_("a nulle"),
    "outcome/won": N_("won"),
    "review/blunder": N_("blunder"),
    "review/mistake": N_("mistake"),
    "review/inaccuracy": N_("inaccuracy"),
    "review/line": N_(
        "Trick %(trick)s, %(seat)s, %(done)s: %(cost)s chance to win (%(label)s); better: %(best)s%(why)s"
    ),
    "review/from-to": N_("the partie was %(before)s, now it is %(after)s"),
    "review/sum": N_(
        "%(seat)s: %(result)s = %(fair)s (fair share) %(errors)s (own mistakes%(small)s) %(others)s "
        "(the opponent's) %(luck)s (luck)"
    ),
    "review/sum-of-several": N_(
        "%(seat)s: %(result)s = %(fair)s (fair share) %(errors)s (own mistakes%(small)s) %(others)s "
        "(the others', shared out evenly) %(luck)s (luck)"
    ),
    "review/comment": N_("%(seat)s, %(done)s: %(cost)s (%(label)s); better: %(best)s%(why)s"),
    "review/second-thought": N_(
        "%(seat)s, %(done)s: advised at the table; thinking longer, I would rather choose %(best)s%(why)s"
    ),
    "review/costs": N_("%(seat)s: %(errors)s (own mistakes%(small)s); the partie was not played out"),
    "review/small": N_(", %(cost)s of them small"),
    "review/partie": N_("Partie %(number)s (%(rules)s)"),
    "review/none": N_("No sure mistake."),
    "review/unknown": N_("Partie %(number)s: not all cards are known, so it cannot be analysed."),
    "reason/average": N_("on average %(reasons)s"),
    "reason/wins": N_("a chouine wins the partie"),
    "reason/turnup": N_("%(rank)s of trumps instead of the seven"),
    "reason/kept": N_("%(card)s stays in hand"),  # in reviews stored before facts were found
    "reason/declares": N_("the declaration counts %(points)s points"),
    "reason/fixes": N_("%(suit)s become trumps"),
    "reason/lacks": N_("only %(card)s is missing for a chouine"),
    "reason/waits": N_("the declaration may wait"),
    "reason/sure": N_("nobody can take %(card)s"),
    "reason/takes-brisque": N_("%(card)s takes the trick, with a brisque in it"),
    "reason/takes": N_("%(card)s takes the trick"),
    "reason/ahead": N_("%(card)s beats what has been played to the trick"),
    "reason/forces-ruff": N_("%(card)s forces the other side to ruff"),
    "reason/must-lead": N_("the other side has to lead next"),
    "reason/draws-trump": N_("the lead draws a trump from the other hand"),
    "reason/couple": N_("the king and queen of %(suit)s stay together"),
    "reason/quinte": N_("one more brisque makes a quinte"),
    "reason/trente": N_("one more brisque makes a trente"),
    "reason/ace-out": N_("%(card)s is still out"),
    "reason/seen": N_("%(card)s has been seen in another hand"),
    "reason/spares-brisque": N_("a brisque is kept"),
    "reason/keeps-master": N_("the highest card left of a suit is kept"),
    "reason/no-brisque": N_("there is no brisque to take"),
    "reason/keeps-trump": N_("one more trump is kept"),
    "reason/only-trump": N_("only a trump can take %(card)s"),
    "reason/suffices": N_("%(card)s is enough to take the trick"),
    "reason/gives-nothing": N_("%(card)s gives no points away"),
    "reason/gives-less": N_("fewer points are at stake with %(card)s"),
    "reason/may-come": N_("%(card)s may still come for a mariage"),
    "reason/tricks": N_("the count of the tricks stands better when the talon ends"),
    "reason/declared": N_("more points are declared"),
    "reason/others-declared": N_("the other side declares fewer points"),
    "reason/trumps": N_("more trumps are kept for the last tricks"),
    "reason/brisques": N_("more aces and tens are kept for the last tricks"),
    "reason/chouine": N_("a chouine comes more often"),
    "reason/others-chouine": N_("a chouine of the other side comes less often"),
    # An act, said of somebody or advised
    "act/exchange": N_("exchange the seven"),
    "act/pass": N_("keep the seven"),
    "act/declared": N_("%(card)s + %(said)s"),
}
