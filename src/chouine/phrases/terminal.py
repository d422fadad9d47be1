"""What is said at a table in the terminal. `…/you` is said to the seat that `name` names."""

PHRASES = {
    # Combinations
    "terminal/figure/mariage": ("mariage de {suit}", "mariage in {suit}"),
    "terminal/figure/tierce": ("tierce à {suit}", "tierce in {suit}"),
    "terminal/figure/quarteron": ("quarteron de {suit}", "quarteron in {suit}"),
    "terminal/figure/quinte": ("quinte", "quinte"),
    "terminal/figure/trente": ("trente", "trente"),
    "terminal/figure/chouine": ("chouine de {suit}", "chouine in {suit}"),
    # What happens
    "terminal/someone": ("Quelqu'un", "Someone"),
    "terminal/deals": ("{name} donne.", "{name} deals."),
    "terminal/deals/you": ("Vous donnez.", "You deal."),
    "terminal/turned": ("Retourne : {card}, atout {suit}.", "Turnup: {card}, trumps are {suit}."),
    "terminal/no-turnup": (
        "Pas de retourne : l'atout viendra d'une annonce.",
        "No turnup: a declaration will fix trumps.",
    ),
    "terminal/declares": ("{name} : « {said} ! »{worth}", '{name}: "{said}!"{worth}'),
    "terminal/declares/you": ("Vous : « {said} ! »{worth}", 'You: "{said}!"{worth}'),
    "terminal/worth": (" (+{points})", " (+{points})"),
    "terminal/wins": (" (gagne la partie)", " (wins the partie)"),
    "terminal/trump-fixed": ("L'atout est {suit} {symbol}.", "Trumps are {suit} {symbol}."),
    "terminal/plays": ("{name} joue {card}", "{name} plays {card}"),
    "terminal/plays/you": ("Vous jouez {card}", "You play {card}"),
    "terminal/shows": ("{name} montre {cards}.", "{name} shows {cards}."),
    "terminal/shows/you": ("Vous montrez {cards}.", "You show {cards}."),
    "terminal/takes": ("{name} ramasse le pli ({points}).", "{name} takes the trick ({points})."),
    "terminal/takes/you": ("Vous ramassez le pli ({points}).", "You take the trick ({points})."),
    "terminal/draws": ("{name} tire une carte.", "{name} draws a card."),
    "terminal/draws-card/you": ("Vous tirez {card}.", "You draw {card}."),
    "terminal/draws-turnup": ("{name} tire la retourne, {card}.", "{name} draws the turnup, {card}."),
    "terminal/draws-turnup/you": ("Vous tirez la retourne, {card}.", "You draw the turnup, {card}."),
    "terminal/au-sept": ("{name} dit « au sept ! »", '{name} says "au sept!"'),
    "terminal/au-sept/you": ("Vous dites « au sept ! »", 'You say "au sept!"'),
    "terminal/exchanges": (
        "{name} échange le sept contre la retourne, {card}.",
        "{name} exchanges the seven for the turnup, {card}.",
    ),
    "terminal/exchanges/you": (
        "Vous échangez le sept contre la retourne, {card}.",
        "You exchange the seven for the turnup, {card}.",
    ),
    # The page
    "terminal/manche": ("Manche {manche}, partie {partie}", "Manche {manche}, partie {partie}"),
    "terminal/belle": ("Belle, partie {partie}", "Belle, partie {partie}"),
    "terminal/trump": ("Atout {suit} {symbol}", "Trumps {suit} {symbol}"),
    "terminal/no-trump": ("Pas encore d'atout", "No trumps yet"),
    "terminal/turnup": ("retourne {card}", "turnup {card}"),
    "terminal/talon": ("talon {cards}", "talon {cards}"),
    "terminal/declared": ("Annonces : {told}", "Declarations: {told}"),
    "terminal/own": (
        "Vos plis : {tricks} ; avec vos annonces {points} points",
        "Your tricks: {tricks}; with declarations {points} points",
    ),
    "terminal/table": ("Tapis :  {cards}", "Table:  {cards}"),
    "terminal/last-trick": ("Dernier pli :  ", "Last trick:  "),
    "terminal/hand": ("Votre main :", "Your hand:"),
    "terminal/may-declare": (
        "Annonce possible : {figure}{worth} : {numbers} ou +{token}",
        "You may declare: {figure}{worth}: {numbers} or +{token}",
    ),
    "terminal/may-exchange": (
        "Échange possible : 7 pour prendre {card} contre le sept",
        "You may exchange: 7 to take {card} for the seven",
    ),
    "terminal/legal": ("Vous pouvez jouer : {cards}", "You may play: {cards}"),
    "terminal/no-trick": ("Aucun pli.", "No trick."),
    "terminal/score": ("Marque : {score}", "Score: {score}"),
    # Before the deal
    "terminal/spread": (
        "Le jeu est étalé : chacun tire une carte, la plus petite donne.",
        "The pack is spread: each draws a card, the lowest deals.",
    ),
    "terminal/pick": ("{name}, quelle carte (1-{most}) ?", "{name}, which card (1-{most})?"),
    "terminal/picked": ("{name} tire {card}.", "{name} draws {card}."),
    "terminal/tied": ("Même rang : on recommence le tirage.", "Equal lowest: all draw again."),
    "terminal/will-deal": (
        "{name} a la plus petite : à {name} la donne.",
        "{name} has the lowest: {name} deals.",
    ),
    "terminal/shuffles": (
        "{name} bat les cartes et présente le jeu à couper.",
        "{name} shuffles and offers the pack to cut.",
    ),
    "terminal/cuts": ("{name} coupe à {at} cartes.", "{name} cuts {at} cards down."),
    "terminal/cut": (
        "{name}, coupez : combien de cartes ({least}-{most}) ?",
        "{name}, cut: how many cards ({least}-{most})?",
    ),
    # Questions
    "terminal/turn": ("À vous, {name} (? pour l'aide) :", "Your turn, {name} (? for help):"),
    "terminal/seven": (
        "Au sept, {name} : 7 pour échanger, Entrée pour laisser passer :",
        "Au sept, {name}: 7 to exchange, Enter to let it pass:",
    ),
    "terminal/enter": ("Entrée pour continuer", "Enter to go on"),
    "terminal/pass-screen": (
        "L'écran est à {name}, et à {name} seulement.",
        "The screen is {name}'s, and {name}'s alone.",
    ),
    "terminal/concede": (
        "Abandonner : p pour cette partie, m pour le match, Entrée pour continuer à jouer :",
        "Give up: p this partie, m the match, Enter to play on:",
    ),
    "terminal/revanche": ("La revanche ? (o/n)", "Revanche? (y/n)"),
    "terminal/help": (
        (
            "2, D♦ ou Qd : jouer cette carte\n"
            "2+ ou D♦+20d : la jouer en annonçant (20 mariage, 30 tierce, 40 quarteron d'une couleur s h d c : "
            "pique, cœur, carreau, trèfle ; 50 quinte, 30 trente, ch chouine)\n"
            "7 : échanger le sept d'atout\n"
            "t : vos plis · d : le dernier pli des autres · s : la marque\n"
            "?8 : le chapitre 8 des règles · c : abandonner · q : enregistrer et quitter"
        ),
        (
            "2, Q♦ or Qd: play that card\n"
            "2+ or Q♦+20d: play it and declare (20 mariage, 30 tierce, 40 quarteron of a suit s h d c; 50 quinte, "
            "30 trente, ch chouine)\n"
            "7: exchange the seven of trumps\n"
            "t: your tricks · d: the others' last trick · s: the score\n"
            "?8: chapter 8 of the rules · c: give up · q: save and quit"
        ),
    ),
    # Answers that will not do
    "terminal/not-understood": (
        "Je ne comprends pas « {text} ». ? pour l'aide.",
        'I do not understand "{text}". ? for help.',
    ),
    "terminal/no-such-number": (
        "Vos cartes sont numérotées de 1 à {most}.",
        "Your cards are numbered from 1 to {most}.",
    ),
    "terminal/nothing-to-declare": (
        "Rien à annoncer avec cette carte, §9.",
        "Nothing to declare with that card, §9.",
    ),
    "terminal/which-declaration": (
        "Plusieurs annonces possibles : ajoutez {tokens} après le +.",
        "More than one declaration is possible: add {tokens} after the +.",
    ),
    "terminal/no-such-place": (
        "Choisissez une carte encore sur la table, de 1 à {most}.",
        "Choose a card still on the table, from 1 to {most}.",
    ),
    "terminal/out-of-turn": ("Ce n'est pas le moment.", "Not now."),
    "terminal/no-such-chapter": (
        "Les règles ont les chapitres 1 à {most}.",
        "The rules have chapters 1 to {most}.",
    ),
    # Ends
    "terminal/count/cards": ("Cartes", "Cards"),
    "terminal/count/ace": ("As à {points}", "Aces at {points}"),
    "terminal/count/ten": ("Dix à {points}", "Tens at {points}"),
    "terminal/count/king": ("Rois à {points}", "Kings at {points}"),
    "terminal/count/queen": ("Dames à {points}", "Queens at {points}"),
    "terminal/count/jack": ("Valets à {points}", "Jacks at {points}"),
    "terminal/count/tricks": ("Plis", "Tricks"),
    "terminal/count/der": ("Dix de der", "Dix de der"),
    "terminal/count/total": ("Total", "Total"),
    "terminal/short-count": (
        "Compte court (brisques, annonces, der) : {points}",
        "Short count (brisques, declarations, der): {points}",
    ),
    "terminal/nulle": ("Partie nulle : personne ne marque, §12.", "Nulle: nobody scores, §12."),
    "terminal/partie-won/points": ("{name} gagne la partie.", "{name} wins the partie."),
    "terminal/partie-won/chouine": ("Chouine ! {name} gagne la partie.", "Chouine! {name} wins the partie."),
    "terminal/partie-won/concede": (
        "La partie est abandonnée : {name} gagne.",
        "The partie is conceded: {name} wins.",
    ),
    "terminal/manche-won": (
        "{name} gagne la manche {manche}, {score}.",
        "{name} wins manche {manche}, {score}.",
    ),
    "terminal/sous-la-table": ("{name} passe sous la table !", "{name} goes under the table!"),
    "terminal/to-the-belle": (
        "Une manche partout : c'est la belle, on tire de nouveau.",
        "One manche all: the belle, and a new draw.",
    ),
    "terminal/match-won": ("{name} gagne le match.", "{name} wins the match."),
    "terminal/match-shared": (
        "Le match est abandonné, sans vainqueur.",
        "The match is forfeited, with no winner.",
    ),
    "terminal/manches": ("Manches : {scores}", "Manches: {scores}"),
    # The command
    "terminal/name": (
        "« {name} » n'est pas un nom à cette table : 20 signes au plus, sans « ; ».",
        '"{name}" is no name at this table: 20 signs at most, without ";".',
    ),
    "terminal/name-twice": (
        "« {name} » ne peut pas être à deux places : donnez deux noms différents.",
        '"{name}" cannot sit at two seats: give two different names.',
    ),
    "terminal/kept": (
        "Le match est enregistré dans {path} ; « chouine play{saved} » le reprend.",
        'The match is kept in {path}; "chouine play{saved}" takes it up again.',
    ),
    "terminal/damaged": ("Cette sauvegarde est illisible.", "This save cannot be read."),
    "terminal/damaged-aside": (
        "La sauvegarde {path} est illisible ; elle est mise de côté sous {aside}. Relancez pour un nouveau match.",
        "The save {path} cannot be read; it is set aside as {aside}. Run again for a new match.",
    ),
    "terminal/in-progress": (
        "Un match est en cours dans {path} : « chouine play{saved} » le reprend, --new l'abandonne.",
        'A match is in progress in {path}: "chouine play{saved}" takes it up again, --new drops it.',
    ),
    "terminal/busy": (
        "Le match de {path} est déjà ouvert ailleurs ; jouez-en un autre avec --save FICHIER.",
        "The match in {path} is already open elsewhere; play another with --save FILE.",
    ),
    "terminal/nothing-to-resume": ("Aucun match en cours dans {path}.", "No match in progress in {path}."),
    "terminal/seat-setting": (
        "« {setting} » ne dit pas qui s'assied où : par exemple b=heuristic. Places : {seats}.",
        '"{setting}" does not say who sits where: for example b=heuristic. Seats: {seats}.',
    ),
    "terminal/player-fault": ("{name} ne peut pas continuer : {why}", "{name} cannot go on: {why}"),
    "terminal/stands-in": (
        "{name} ne peut pas continuer : {why} Quelqu'un qui joue au niveau 6 prend sa place.",
        "{name} cannot go on: {why} Somebody who plays at level 6 takes the seat.",
    ),
    "terminal/no-answer": ("{name} ne joue rien.", "{name} plays nothing."),
    # The chapters in a sentence
}
