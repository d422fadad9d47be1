"""Batches of parties: what cannot be played on, told to whoever programs them."""

PHRASES = {
    "batch/numpy": (
        "Les parties par lots demandent numpy : pip install 'chouine[fast]'.",
        "Batches of parties need numpy: pip install 'chouine[fast]'.",
    ),
    "batch/shape": (
        "Une action entière par partie, soit {count} ; reçu {dtype} de forme {shape}.",
        "One integer action for each of the {count} parties; got {dtype} of shape {shape}.",
    ),
    "batch/arrays": (
        "Des tableaux {cells} et {talons} ne sont pas des positions et leurs talons.",
        "Arrays of {cells} and {talons} are not positions and their talons.",
    ),
    "batch/illegal": (
        "Ligne {row} : l'action {action} n'y est pas permise ({why}).",
        "Row {row}: action {action} is not legal there ({why}).",
    ),
    "batch/deal": (
        "Ligne {row} : donne impossible ({reasons}).",
        "Row {row}: a deal that cannot be ({reasons}).",
    ),
}
