"""Computer players and what they say of a partie."""

PHRASES = {
    "network/weights": (
        "{path} ne contient pas les poids de ce réseau : réinstaller chouine, ou refaire l'apprentissage.",
        "{path} does not hold weights for this network: install chouine again, or train anew.",
    ),
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
    "advice/no-choice": ("Cette place n'a rien à jouer ici.", "This seat has nothing to do here."),
    "advice/act": (
        "{act} : {win} de chances de gagner ({low} à {high})",
        "{act}: wins {win} ({low} to {high})",
    ),
    "advice/sure": ("{act} : {win} de chances de gagner", "{act}: wins {win}"),
    "advice/line": ("Suite probable : {line}", "What is likely to follow: {line}"),
    "advice/why": ("{best} plutôt que {second} : {why}", "{best} rather than {second}: {why}"),
    "advice/worlds": (
        "Essayé dans {worlds} mondes vraisemblables ; entre parenthèses, l'intervalle à 95 %.",
        "Tried in {worlds} likely worlds; in brackets the 95% interval.",
    ),
    "advice/exact": ("Calculé exactement.", "Worked out exactly."),
    "review/blunder": ("grosse erreur", "blunder"),
    "review/mistake": ("erreur", "mistake"),
    "review/inaccuracy": ("imprécision", "inaccuracy"),
    "review/line": (
        "{number}. {seat} {done} : {cost} de chances de gagner ({label}) ; mieux : {best}{why}",
        "{number}. {seat} {done}: {cost} chance to win ({label}); better: {best}{why}",
    ),
    "review/sum": (
        "{seat} : {result} = {fair} de part égale {errors} d'erreurs {others} d'erreurs adverses {luck} de chance",
        "{seat}: {result} = {fair} fair share {errors} own mistakes {others} others' mistakes {luck} luck",
    ),
    "review/partie": ("Partie {number} ({rules})", "Partie {number} ({rules})"),
    "review/none": ("Aucune erreur sûre.", "No sure mistake."),
    "review/unknown": (
        "partie {number} : tous les jeux ne sont pas connus, elle ne peut pas être analysée.",
        "partie {number}: not all cards are known, so it cannot be analysed.",
    ),
    "review/pass": ("garder le sept", "keep the seven"),
    "reason/tricks": (
        "{amount} points de plus dans les levées avant la fin du talon",
        "{amount} more points in tricks before the talon ends",
    ),
    "reason/declared": ("{amount} points d'annonces de plus", "{amount} more points declared"),
    "reason/others-declared": (
        "{amount} points d'annonces de moins pour l'adversaire",
        "{amount} fewer points declared by the other side",
    ),
    "reason/trumps": (
        "{amount} atout de plus pour les dernières levées",
        "{amount} more trumps for the last tricks",
    ),
    "reason/brisques": (
        "{amount} brisque de plus pour les dernières levées",
        "{amount} more brisques for the last tricks",
    ),
}
