"""What is wrong with a form that asks for a new match."""

PHRASES = {
    "terms/choice": (
        "Ce choix n'existe pas : {token}.",
        "There is no such choice: {token}.",
    ),
    "terms/nobody": (
        "Il faut au moins une personne à la table.",
        "At least one person must sit at the table.",
    ),
}
