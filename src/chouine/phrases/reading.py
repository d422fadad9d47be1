"""What is wrong with a text, a deal or a record: the codes `syntax/…`, `deal/…` and `checksum/…`."""

PHRASES = {
    "syntax/preset": (
        "Règles inconnues : « {token} ». Connues : {known}.",
        'Unknown rules: "{token}". Known: {known}.',
    ),
    "syntax/option": (
        "Option inconnue : « {token} ». Connues : {known}.",
        'Unknown option: "{token}". Known: {known}.',
    ),
    "syntax/option-value": (
        "Valeur inconnue dans {token}. Possibles : {known}.",
        "Unknown value in {token}. It may be: {known}.",
    ),
    "syntax/option-twice": ("Option donnée deux fois : « {token} ».", 'Option given twice: "{token}".'),
    "syntax/packets": (
        "On ne donne par paquets qu'à deux joueurs (§3) : « {token} ».",
        'Packets are dealt with two seats only (§3): "{token}".',
    ),
    "syntax/short": (
        "Il manque quelque chose. La forme est : {form}.",
        "Something is missing. The form is: {form}.",
    ),
    "syntax/surplus": ("Un mot de trop : « {token} ».", 'One word too many: "{token}".'),
    "syntax/colon": (
        "Il faut « : » entre la donne et les actions.",
        'There must be ":" between the deal and the actions.',
    ),
    "syntax/seat": (
        "Place inconnue : « {token} ». Les places sont a, b, c, d.",
        'Unknown seat: "{token}". Seats are a, b, c, d.',
    ),
    "syntax/card": ("Carte illisible : « {token} ».", 'Not a card: "{token}".'),
    "syntax/hand": (
        "Main illisible : « {token} ». Une main a quatre couleurs, ♠.♥.♦.♣.",
        'Not a hand: "{token}". A hand has four suits, ♠.♥.♦.♣.',
    ),
    "syntax/rank": (
        "Hauteur inconnue dans une main : « {token} ». Les hauteurs sont A T K Q J 9 8 7.",
        'Unknown rank in a hand: "{token}". Ranks are A T K Q J 9 8 7.',
    ),
    "syntax/unknown": (
        "Cartes inconnues illisibles : « {token} ». Cinq cartes inconnues s'écrivent ?5.",
        'Unknown cards badly written: "{token}". Five unknown cards are ?5.',
    ),
    "syntax/declaration": (
        "Annonce illisible : « {token} ». Par exemple 20d, 50, chs.",
        'Not a declaration: "{token}". For instance 20d, 50, chs.',
    ),
    "syntax/action": (
        "Action illisible : « {token} ». Par exemple Qd, Qd+20d, 7x.",
        'Not an action: "{token}". For instance Qd, Qd+20d, 7x.',
    ),
    "syntax/trump": (
        "Atout illisible : « {token} ». Une carte retournée, s, h, d, c, ou -.",
        'Not a trump: "{token}". A turned card, s, h, d, c, or -.',
    ),
    "syntax/tag": (
        'Étiquette illisible. Elle s\'écrit [Nom "valeur"].',
        'Tag badly written. It reads [Name "value"].',
    ),
    "syntax/tag-twice": ("Étiquette donnée deux fois : « {token} ».", 'Tag given twice: "{token}".'),
    "syntax/tag-missing": ("Il manque l'étiquette {tag}.", "The tag {tag} is missing."),
    "syntax/comment": ("Commentaire ouvert et jamais fermé.", "Comment opened and never closed."),
    "syntax/brace": ("Accolade fermée sans être ouverte.", "Brace closed without being opened."),
    "syntax/variation": ("Variante ouverte et jamais fermée.", "Variation opened and never closed."),
    "syntax/parenthesis": (
        "Parenthèse fermée sans être ouverte.",
        "Parenthesis closed without being opened.",
    ),
    "syntax/variation-first": (
        "Une variante remplace une action : il n'y en a pas encore.",
        "A variation stands for an action: there is none yet.",
    ),
    "syntax/nested": (
        "Trop de variantes l'une dans l'autre.",
        "Too many variations within variations.",
    ),
    "syntax/one-record": (
        "Il faut une seule partie ; il y en a {count}.",
        "There must be one partie; there are {count}.",
    ),
    "syntax/glyph": ("Signe illisible : « {token} ».", 'Not a glyph: "{token}".'),
    "syntax/result": (
        "Résultat illisible : « {token} ». Par exemple 1-0, 0-0, *.",
        'Not a result: "{token}". For instance 1-0, 0-0, *.',
    ),
    "syntax/points": (
        "Points illisibles : « {token} ». Par exemple 196-44.",
        'Not points: "{token}". For instance 196-44.',
    ),
    "syntax/termination": (
        "Fin illisible : « {token} ». C'est concede, forfeit ou fault et une place, ou misdeal.",
        'Not a termination: "{token}". It is concede, forfeit or fault and a seat, or misdeal.',
    ),
    "syntax/stray": (
        "Ni une partie sur une ligne ni le début d'une feuille de partie : « {token} ».",
        'Neither a partie line nor the start of a record: "{token}".',
    ),
    "syntax/encoding": ("{file} n'est pas un texte en UTF-8.", "{file} is not a UTF-8 text."),
    "syntax/bytes": (
        "Lettre qui n'est pas de l'UTF-8 : « {token} ». Enregistrez le fichier en UTF-8.",
        'Not a letter of UTF-8: "{token}". Save the file as UTF-8.',
    ),
    "reading/to-seat": ("Place {seat} : {why}", "Seat {seat}: {why}"),
    "file/none": ("ce fichier n'existe pas.", "there is no such file."),
    "file/folder": ("c'est un dossier, pas un fichier.", "this is a folder, not a file."),
    "file/forbidden": ("l'accès à ce fichier est refusé.", "access to this file is denied."),
    "deal/seats": (
        "Ces règles se jouent à {seats}, §3.",
        "These rules are for {seats} seats, §3.",
    ),
    "deal/seat": (
        "Cette place n'est pas à la table de ces règles, §3.",
        "There is no such seat at the table of these rules, §3.",
    ),
    "deal/hand-size": (
        "Une main n'a pas son compte de cartes, qui est ici de {hand}, §3.",
        "A hand has too many or too few cards: here it must have {hand}, §3.",
    ),
    "deal/turnup": (
        "Il faut une retourne, §3 ; à Mondoubleau il n'y en a pas, §17.",
        "There must be a turnup, §3; in Mondoubleau there is none, §17.",
    ),
    "deal/talon-size": (
        "Le talon n'a pas son compte de cartes face cachée, qui est ici de {talon}, §3.",
        "The talon has too many or too few cards face down: here it must have {talon}, §3.",
    ),
    "deal/card-twice": (
        "Une carte est là deux fois, §1 : « {token} ».",
        'A card is there twice, §1: "{token}".',
    ),
    "deal/unknown": (
        "Toutes les cartes doivent être connues ici : « {token} ».",
        'Every card must be known here: "{token}".',
    ),
    "deal/own-cards": (
        "Les cartes de la place elle-même doivent être connues : « {token} ».",
        'The seat\'s own cards must be known: "{token}".',
    ),
    "deal/table": ("Trop de cartes sur la table, §5.", "Too many cards on the table, §5."),
    "deal/taken": (
        "Les cartes prises ne font pas des plis entiers, §5.",
        "The cards taken are not whole tricks, §5.",
    ),
    "deal/trump": ("Il faut un atout, §3.", "There must be a trump suit, §3."),
    "deal/said": (
        "Cette annonce n'existe pas à ce nombre de joueurs, §9 : « {token} ».",
        'There is no such declaration with this many players, §9: "{token}".',
    ),
    "checksum/result": (
        "Le résultat écrit est {token}, mais la partie donne {found}.",
        "The result written is {token}, but the partie gives {found}.",
    ),
    "checksum/points": (
        "Les points écrits sont {token}, mais la partie donne {found}.",
        "The points written are {token}, but the partie gives {found}.",
    ),
    "checksum/termination": (
        "La partie a été jouée jusqu'au bout : {token} ne peut pas l'avoir finie.",
        "The partie was played out: {token} cannot have ended it.",
    ),
    # What is said aloud with a card (§9.5)
    "said/mariage": ("J'ai un vingt de {suit}", "I have twenty in {suit}"),
    "said/tierce": ("J'ai un trente de {suit}", "I have thirty in {suit}"),
    "said/quarteron": ("J'ai un quarante de {suit}", "I have forty in {suit}"),
    "said/quinte": ("J'ai un cinquante", "I have fifty"),
    "said/trente": ("J'ai un trente", "I have thirty"),
    "said/chouine": ("J'ai une chouine de {suit}", "I have a chouine in {suit}"),
    # A partie drawn for people
    "show/deals": ("{seat} donne", "{seat} deals"),
    "show/to-act": ("à {seat} de jouer", "{seat} to act"),
    "show/turnup": ("retourne {card}", "turnup {card}"),
    "show/trump": ("atout {suit} {symbol}", "trumps {suit} {symbol}"),
    "show/no-trump": ("pas d'atout", "no trumps"),
    "show/talon": ("talon", "talon"),
    "show/table": ("sur la table", "on the table"),
    "show/taken": ("pris", "taken"),
    "show/exchanges": ("{seat} prend {card} contre le sept", "{seat} takes {card} for the seven"),
    "show/au-sept": ("{seat} dit « au sept »", '{seat} says "au sept"'),
    "show/declares": ("« {said} »", '"{said}"'),
    "show/shows": ("{seat} montre {cards}", "{seat} shows {cards}"),
    "show/takes": ("→ {seat} ramasse {points}", "→ {seat} takes {points}"),
    "show/draws": ("{seat} tire {card}", "{seat} draws {card}"),
    "show/won": ("{seat} gagne {points}", "{seat} wins {points}"),
    "show/chouine": ("{seat} gagne par la chouine ({points})", "{seat} wins by the chouine ({points})"),
    "show/nulle": ("Partie nulle, {points}", "Nulle, {points}"),
    "show/unfinished": ("Partie en cours, {points}", "In progress, {points}"),
    "show/misdeal": ("Maldonne, §4", "Misdeal, §4"),
    "show/concede": ("Partie abandonnée, §16, {points}", "Partie conceded, §16, {points}"),
    "show/forfeit": ("Partie perdue par forfait, §16, {points}", "Partie forfeited, §16, {points}"),
    "show/fault": ("Partie perdue par faute, §15, {points}", "Partie lost by faults, §15, {points}"),
}
