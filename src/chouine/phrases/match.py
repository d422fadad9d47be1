"""What a score sheet refuses (`match/…`), and its words for misdeals (§4) and faults (§15)."""

PHRASES = {
    "syntax/format": (
        "Format inconnu : {token}. Par exemple 5x2, deux manches gagnantes de cinq parties ; 3, une manche.",
        "Unknown format: {token}. For example 5x2, two winning manches of five parties; 3, one manche.",
    ),
    "match/one-manche": (
        "À {seats} joueurs, le match se joue en une seule manche, §13.",
        "With {seats} seats a match is one manche, §13.",
    ),
    "match/over": ("Le match est fini, §13.", "The match is over, §13."),
    "match/not-over": ("Le match n'est pas fini, §13.", "The match is not over, §13."),
    "match/no-draw": (
        "Pas de tirage maintenant : on sait déjà qui donne, §13.",
        "No draw now: it is known who deals, §13.",
    ),
    "match/draw-first": (
        "Il faut d'abord tirer pour savoir qui donne, §2.",
        "The draw for the deal must be made first, §2.",
    ),
    "match/cut-void": (
        "Coupe nulle : au moins {least} cartes dans chaque paquet ; coupez entre {least} et {most}, §2.",
        "Void cut: each packet must have at least {least} cards; cut between {least} and {most}, §2.",
    ),
    "match/entry": (
        "Ceci ne peut pas figurer sur cette feuille de match : {entry}.",
        "This cannot stand on this score sheet: {entry}.",
    ),
    "match/data": ("Feuille de match illisible : {piece}.", "A score sheet that cannot be read: {piece}."),
    "match/version": (
        "Feuille de match d'une version inconnue : {version} (connue : {known}).",
        "A score sheet of an unknown version: {version} (known: {known}).",
    ),
    "match/misdeal/card-seen": (
        "Une carte a été vue par qui ne le devait pas, §4.",
        "A card was seen by whom it was not meant for, §4.",
    ),
    "match/misdeal/wrong-deal": (
        "La donne n'a pas été faite selon la règle, §4.",
        "The deal was not made as the rules say, §4.",
    ),
    "match/misdeal/pack-incomplete": ("Le jeu de cartes est incomplet, §4.", "The pack is incomplete, §4."),
    "match/misdeal/hand-size": (
        "Une main a trop de cartes, ou pas assez, §4.",
        "A hand has too many cards, or too few, §4.",
    ),
    "match/misdeal/wrong-hand": (
        "Un joueur a ramassé la main d'un autre, §4.",
        "A player picked up another's hand, §4.",
    ),
    "match/fault/drew-others": (
        "A tiré la carte de l'adversaire, §15.",
        "Drew the opponent's card, §15.",
    ),
    "match/fault/saw-others": ("A vu la carte de l'adversaire, §15.", "Saw the opponent's card, §15."),
    "match/fault/drew-two": ("A tiré deux cartes, §15.", "Drew two cards, §15."),
}
