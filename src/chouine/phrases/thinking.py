"""Computer players and what they say of a partie."""

PHRASES = {
    "network/weights": (
        "{path} ne contient pas les poids de ce réseau : réinstaller chouine, ou refaire l'apprentissage.",
        "{path} does not hold weights for this network: install chouine again, or train anew.",
    ),
    "network/no-file": ("{path} : ce fichier n'existe pas.", "{path}: there is no such file."),
    "network/none": (
        "Il n'y a pas de réseau pour « {preset} ».",
        "There is no network for '{preset}'.",
    ),
    "thinking/no-compiler": (
        "Réfléchir dans beaucoup de mondes demande numba : pip install 'chouine[fast]'.",
        "Thinking ahead in many worlds needs numba: pip install 'chouine[fast]'.",
    ),
    "level/unknown": (
        "Il n'y a pas de niveau {number} : {levels}.",
        "There is no level {number}: {levels}.",
    ),
    "level/needs-fast": (
        "Le niveau {number} réfléchit dans beaucoup de mondes : il lui faut numba, pip install 'chouine[fast]'.",
        "Level {number} thinks ahead in many worlds: it needs numba, pip install 'chouine[fast]'.",
    ),
    "advice/act": (
        "{act} : {win} de chances de gagner ({low} à {high})",
        "{act}: {win} chance to win ({low} to {high})",
    ),
    "advice/sure": ("{act} : {win} de chances de gagner", "{act}: {win} chance to win"),
    "advice/line": ("Suite probable : {line}", "What is likely to follow: {line}"),
    "advice/best-line": ("Si chacun joue au mieux : {line}", "If both play their best: {line}"),
    "advice/why": (
        "{best} plutôt que {second} : {why}",
        "{best} rather than {second}: {why}",
    ),
    "advice/world": (
        "Essayé sur une seule répartition vraisemblable des cartes cachées.",
        "Tried in one likely lay of the hidden cards.",
    ),
    "advice/worlds": (
        (
            "Essayé sur {worlds} répartitions vraisemblables des cartes cachées, contre un niveau 8 ;"
            " entre parenthèses, l'intervalle à 95 %."
        ),
        "Tried in {worlds} likely lays of the hidden cards, against level 8; in brackets the 95% interval.",
    ),
    "advice/certain": ("{act} : partie {outcome}", "{act}: {outcome}"),
    "advice/settled": (
        "Certain, quelles que soient les cartes cachées{because}",
        "Certain, whatever the hidden cards are{because}",
    ),
    "advice/because": (" : {why}", ": {why}"),
    "advice/exact": ("Tous les jeux sont connus : c'est certain.", "All hands are known: this is certain."),
    "advice/equilibrium": (
        (
            "Calculé sur tous les jeux que l'adversaire peut avoir, comme s'il jouait lui aussi au mieux ;"
            " de coups qui se valent, mieux vaut jouer tantôt l'un, tantôt l'autre."
        ),
        (
            "Worked out over every hand that the other side may hold, as if it too played its best;"
            " acts worth the same are best played now one, now another."
        ),
    ),
    "advice/impossible": (
        "Aucune donne ne permet ce qui a été joué : vérifier les cartes de cette ligne.",
        "No deal allows what was played: check the cards in this line.",
    ),
    "outcome/lost": ("perdue", "lost"),
    "outcome/nulle": ("nulle", "a nulle"),
    "outcome/won": ("gagnée", "won"),
    "review/blunder": ("grosse erreur", "blunder"),
    "review/mistake": ("erreur", "mistake"),
    "review/inaccuracy": ("imprécision", "inaccuracy"),
    "review/line": (
        "Levée {trick}, {seat}, {done} : {cost} de chances de gagner ({label}) ; mieux : {best}{why}",
        "Trick {trick}, {seat}, {done}: {cost} chance to win ({label}); better: {best}{why}",
    ),
    "review/from-to": (
        "la partie était {before}, elle devient {after}",
        "the partie was {before}, now it is {after}",
    ),
    "review/sum": (
        (
            "{seat} : {result} = {fair} (part égale) {errors} (ses erreurs{small}) {others} (erreurs adverses)"
            " {luck} (chance)"
        ),
        "{seat}: {result} = {fair} (fair share) {errors} (own mistakes{small}) {others} (the opponent's) {luck} (luck)",
    ),
    "review/sum-of-several": (
        "{seat} : {result} = {fair} (part égale) {errors} (ses erreurs{small}) {luck} (chance et jeu des autres)",
        "{seat}: {result} = {fair} (fair share) {errors} (own mistakes{small}) {luck} (luck and the others' play)",
    ),
    "review/costs": (
        "{seat} : {errors} (ses erreurs{small}) ; la partie n'a pas été jouée jusqu'au bout",
        "{seat}: {errors} (own mistakes{small}); the partie was not played out",
    ),
    "review/small": (", dont {cost} de petites", ", {cost} of them small"),
    "review/partie": ("Partie {number} ({rules})", "Partie {number} ({rules})"),
    "review/none": ("Aucune erreur sûre.", "No sure mistake."),
    "review/unknown": (
        "Partie {number} : tous les jeux ne sont pas connus, elle ne peut pas être analysée.",
        "Partie {number}: not all cards are known, so it cannot be analysed.",
    ),
    "review/empty": ("Il n'y a aucune partie à analyser.", "There is no partie to analyse."),
    "reason/average": ("en moyenne {amounts}", "on average {amounts}"),
    "reason/wins": ("la chouine gagne la partie", "a chouine wins the partie"),
    "reason/turnup": ("{rank} d'atout au lieu du sept", "{rank} of trumps instead of the seven"),
    "reason/tricks": (
        "{amount} {unit} d'avance de plus aux levées avant la fin du talon",
        "a lead {amount} {unit} better in the tricks before the talon ends",
    ),
    "reason/declared": ("{amount} {unit} d'annonces de plus", "{amount} more {unit} declared"),
    "reason/others-declared": (
        "{amount} {unit} d'annonces adverses de moins",
        "{amount} fewer {unit} declared by the other side",
    ),
    "reason/trumps": (
        "{amount} {unit} de plus pour les dernières levées",
        "{amount} more {unit} for the last tricks",
    ),
    "reason/brisques": (
        "{amount} {unit} de plus pour les dernières levées",
        "{amount} more {unit} for the last tricks",
    ),
    "reason/chouine": (
        "une chouine annoncée dans {amount} {unit} de plus sur cent",
        "a chouine declared in {amount} more {unit} of a hundred",
    ),
    "reason/others-chouine": (
        "une chouine adverse dans {amount} {unit} de moins sur cent",
        "a chouine by the other side in {amount} fewer {unit} of a hundred",
    ),
    # French counts less than two in the singular, English tenths in the plural.
    "unit/point": ("point", "points"),
    "unit/points": ("points", "points"),
    "unit/trump": ("atout", "trumps"),
    "unit/trumps": ("atouts", "trumps"),
    "unit/brisque": ("brisque", "brisques"),
    "unit/brisques": ("brisques", "brisques"),
    "unit/partie": ("partie", "parties"),
    "unit/parties": ("parties", "parties"),
    # An act, said of somebody or advised
    "act/exchange": ("échanger le sept", "exchange the seven"),
    "act/pass": ("garder le sept", "keep the seven"),
    "act/declared": ("{card} + {said}", "{card} + {said}"),
    "act/mariage": ("vingt de {suit}", "twenty in {suit}"),
    "act/tierce": ("trente de {suit}", "thirty in {suit}"),
    "act/quarteron": ("quarante de {suit}", "forty in {suit}"),
    "act/quinte": ("cinquante", "fifty"),
    "act/trente": ("trente", "thirty"),
    "act/chouine": ("chouine de {suit}", "chouine in {suit}"),
}
