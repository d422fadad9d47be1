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
    "research/dealer": (
        "Le donneur est l'un des {seats} sièges, de 0 à {last} ; reçu {dealer}.",
        "The dealer is one of the {seats} seats, from 0 to {last}; got {dealer}.",
    ),
}
