"""The research environment, told to whoever programs a learner."""

PHRASES = {
    "research/missing": (
        "Il manque {package} : pip install 'chouine[research]'.",
        "{package} is not installed: pip install 'chouine[research]'.",
    ),
    "research/no-such-action": (
        "L'action {action} n'existe pas : elles vont de 0 à 51.",
        "There is no action {action}: they go from 0 to 51.",
    ),
    "research/no-au-sept": (
        "Il n'y a pas d'« au sept » à laisser passer (§11).",
        "There is no “au sept” to let pass (§11).",
    ),
    "research/pack": (
        "{cards} cartes ne font pas {seats} mains de {hand} (de 1 à {most} cartes) et une retourne s'il en faut une.",
        "{cards} cards cannot be dealt as {seats} hands of {hand} (1 to {most} cards each) and a turnup if one is due.",
    ),
    "research/chance": (
        "On attend une carte, non une décision : il n'y a pas d'autre monde à tirer.",
        "A card is awaited, not a decision: there is no other world to draw.",
    ),
    "research/count": (
        "Il faut au moins une partie et un fil d'exécution ; reçu {parties} et {threads}.",
        "There must be one party and one thread at least; got {parties} and {threads}.",
    ),
    "research/simulations": (
        "Il faut au moins une simulation par décision ; reçu {simulations}.",
        "There must be one simulation a decision at least; got {simulations}.",
    ),
    "research/no-gpu": (
        "Il faut une carte graphique que numba sait employer : pip install 'numba-cuda[cu13]'.",
        "A GPU that numba can use is needed: pip install 'numba-cuda[cu13]'.",
    ),
    "research/opponent": (
        "{opponent!r} n'est pas un adversaire : {known}, ou une fonction des observations et des masques.",
        "{opponent!r} is no opponent: {known}, or a function of observations and masks.",
    ),
    "research/not-reset": (
        "Rien n'est distribué : appelez d'abord reset().",
        "Nothing is dealt: call reset() first.",
    ),
}
