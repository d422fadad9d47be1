"""Ends of parties worked out exactly: why one cannot be."""

PHRASES = {
    "endgame/two-seats": (
        "Seule une partie à deux se résout ainsi ; à trois ou quatre, demander ce dont un joueur est sûr.",
        "Only a partie of two seats is solved like this; with three or four, ask what one seat is sure of.",
    ),
    "endgame/hand-unknown": (
        "La main de {seat} n'est pas entièrement connue.",
        "The hand of seat {seat} is not fully known.",
    ),
    "endgame/talon-unknown": (
        "Les cartes à tirer du talon ne sont pas toutes connues.",
        "Not all the talon's cards still to be drawn are known.",
    ),
    "endgame/too-deep": (
        "Trop de suites possibles pour une réponse exacte d'ici.",
        "Too many ways to go on for an exact answer from here.",
    ),
}
