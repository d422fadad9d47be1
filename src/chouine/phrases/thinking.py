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
    "level/unknown": (
        "Il n'y a pas de niveau {number} : {levels}.",
        "There is no level {number}: {levels}.",
    ),
}
