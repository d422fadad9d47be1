"""Messages of duels and pools."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "arena/other-duel": N_(
        "%(file)s is the log of another duel (players, rules, seed, time or parties kept)."
    ),
    "arena/no-log": N_("%(file)s is not the log of a duel."),
    "arena/bad-line": N_("%(file)s, line %(line)s: unreadable."),
    "arena/lost-records": N_("%(file)s no longer holds the parties that the log has put there."),
    "arena/sprt": N_("A sequential test goes from a low bound to a high one; got %(low)s and %(high)s."),
    "arena/no-ray": N_("Ray is not installed: pip install 'chouine[cluster]'."),
    "arena/no-cluster": N_("No Ray cluster at %(address)s: %(why)s"),
    "arena/fault": N_("%(player)s, pair %(pair)s: %(what)s The partie is lost. Asked: %(line)s"),
    "arena/late": N_("A decision took %(seconds)s s; %(limit)s s were allowed."),
    "arena/sealed": N_("SHA-256 of the secret seed: %(digest)s"),
    "arena/unsealed": N_("secret seed: %(seed)s (SHA-256: %(digest)s)"),
    "arena/number": N_("A number from 1 after the colon: “%(token)s”."),
    "arena/two-seats": N_("The player %(token)s plays with two seats only."),
    "arena/missing": N_(
        "The player %(token)s needs %(package)s, which is not installed: pip install 'chouine[fast]'."
    ),
    "arena/no-numpy": N_("Ratings need numpy: pip install 'chouine[fast]'."),
    "arena/pool": N_("A pool has two players at least, no two alike."),
    "arena/worker-ended": N_("One of the processes has ended abruptly."),
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
    "conform/goes-on": N_("an answer after errors"),
    "conform/quit": N_("the end at “quit”"),
    "conform/end": N_("the end at the end of its input"),
    "conform/ok": N_("ok     %(what)s"),
    "conform/fault": N_("FAULT  %(what)s: %(why)s"),
    "conform/skipped": N_("SKIP   %(what)s: not tested, because of the fault above"),
    "conform/all": N_("The program keeps the engine protocol."),
    "conform/faults": N_("Faults: %(faults)s. The protocol is described in docs/notation.md."),
    "conform/no-name": N_("the greeting has no line “id name …”."),
    "conform/stays": N_("the program still runs %(seconds)s s after “quit”."),
    "conform/stays-at-end": N_("the program still runs %(seconds)s s after the end of its input."),
    "conform/bare-error": N_("“error” must be followed by a code and a text. Got: “%(token)s”."),
}
