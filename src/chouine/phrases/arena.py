"""Duels and pools, told to whoever measures players."""

PHRASES = {
    "arena/other-duel": (
        "{file} est le journal d'un autre duel (joueurs, règles, graine, temps ou parties gardées).",
        "{file} is the log of another duel (players, rules, seed, time or parties kept).",
    ),
    "arena/no-log": (
        "{file} n'est pas le journal d'un duel.",
        "{file} is not the log of a duel.",
    ),
    "arena/bad-line": (
        "{file}, ligne {line} : illisible.",
        "{file}, line {line}: unreadable.",
    ),
    "arena/lost-records": (
        "{file} n'a plus les parties que le journal y a mises.",
        "{file} no longer holds the parties that the log has put there.",
    ),
    "arena/sprt": (
        "Un test séquentiel va d'une borne basse à une haute ; reçu {low} et {high}.",
        "A sequential test goes from a low bound to a high one; got {low} and {high}.",
    ),
    "arena/no-ray": (
        "Il manque Ray : pip install 'chouine[cluster]'.",
        "Ray is not installed: pip install 'chouine[cluster]'.",
    ),
    "arena/no-cluster": (
        "Aucune grappe Ray à l'adresse {address} : {why}",
        "No Ray cluster at {address}: {why}",
    ),
    "arena/fault": (
        "{player}, paire {pair} : {what} La partie est perdue. Demandé : {line}",
        "{player}, pair {pair}: {what} The partie is lost. Asked: {line}",
    ),
    "arena/number": (
        "Après le deux-points, un nombre à partir de 1 : « {token} ».",
        "A number from 1 after the colon: '{token}'.",
    ),
    "arena/two-seats": (
        "Le joueur {token} ne joue qu'à deux.",
        "The player {token} plays with two seats only.",
    ),
    "arena/missing": (
        "Le joueur {token} a besoin de {package}, qui manque : pip install 'chouine[fast]'.",
        "The player {token} needs {package}, which is not installed: pip install 'chouine[fast]'.",
    ),
    "arena/pool": (
        "Une poule réunit au moins deux joueurs, tous différents.",
        "A pool has two players at least, no two alike.",
    ),
    "arena/worker-ended": (
        "Un des processus s'est arrêté brusquement.",
        "One of the processes has ended abruptly.",
    ),
    "arena/illegal": (
        "{player} a joué {action}, qui n'est pas permis. Demandé : {line}",
        "{player} played {action}, which is not legal. Asked: {line}",
    ),
    "arena/kept": (
        "Interrompu. {pairs} paires dans {file} : la même commande continue.",
        "Interrupted. {pairs} pairs in {file}: the same command goes on.",
    ),
    "arena/rate": (
        "{a} contre {b} : {rate} ({low} à {high})",
        "{a} against {b}: {rate} ({low} to {high})",
    ),
    "arena/tally": (
        "paires : {pairs} ; parties : {parties}, gagnées {wins}, perdues {losses}, nulles {nulles}",
        "pairs: {pairs}; parties: {parties}, won {wins}, lost {losses}, nulles {nulles}",
    ),
    "arena/spread": (
        "parts par paire : {spread}",
        "shares by pair: {spread}",
    ),
    "arena/adjusted": (
        "part de {a}, nulles comprises, chance des cartes ôtée : {share} ({low} à {high})",
        "share of {a}, nulles included, less the luck of the cards: {share} ({low} to {high})",
    ),
    "arena/time": (
        "une décision : {a} {seconds_a} ms, {b} {seconds_b} ms",
        "a decision: {a} {seconds_a} ms, {b} {seconds_b} ms",
    ),
    "arena/faults": (
        "parties perdues par faute d'un programme : {a} {faults_a}, {b} {faults_b}",
        "parties lost by a program at fault: {a} {faults_a}, {b} {faults_b}",
    ),
    "arena/undecided": (
        "test séquentiel {low} à {high} (Elo normalisé) : rapport {ratio}, pas de verdict",
        "sequential test {low} to {high} (normalised Elo): ratio {ratio}, no verdict",
    ),
    "arena/better": (
        "test séquentiel {low} à {high} (Elo normalisé) : rapport {ratio}, {high} est admis",
        "sequential test {low} to {high} (normalised Elo): ratio {ratio}, {high} is accepted",
    ),
    "arena/not-better": (
        "test séquentiel {low} à {high} (Elo normalisé) : rapport {ratio}, {low} est admis",
        "sequential test {low} to {high} (normalised Elo): ratio {ratio}, {low} is accepted",
    ),
    "arena/head-player": ("joueur", "player"),
    "arena/head-rating": ("Elo", "Elo"),
    "arena/head-mean": ("ms par décision", "ms a decision"),
    "arena/head-p99": ("99 sur 100 sous", "99 of 100 below"),
    "arena/head-longest": ("la plus longue", "longest"),
}
