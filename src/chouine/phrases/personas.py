"""Whom one plays against: each level is somebody of the Loir valley, with relatives who play alike."""

from collections.abc import Collection, Sequence

PHRASES = {
    "persona/1": (
        "De Trôo, huit ans. A appris hier soir et joue la carte qui lui plaît.",
        "From Trôo, eight years old. Learnt last night, and plays whatever card looks nice.",
    ),
    "persona/2": (
        "De Thoré. Joue vite, rit beaucoup, oublie ce qui est tombé.",
        "From Thoré. Plays fast, laughs a lot, forgets what has fallen.",
    ),
    "persona/3": (
        "D'Artins. Vient pour la compagnie ; de loin en loin, compte les atouts.",
        "From Artins. Comes for the company; now and then counts the trumps.",
    ),
    "persona/4": (
        "De Couture. Connaît le jeu, hésite encore entre deux bonnes cartes.",
        "From Couture. Knows the game, still wavers between two good cards.",
    ),
    "persona/5": (
        "De Ternay. Oublie peu ; ce sont les dernières levées qui coûtent.",
        "From Ternay. Forgets little; it is the last tricks that cost.",
    ),
    "persona/6": (
        "De Montoire. Compte tout, et ne se trompe plus une fois le talon fini.",
        "From Montoire. Counts everything, and makes no mistake once the talon is gone.",
    ),
    "persona/7": (
        "De Vendôme. Imagine les mains que vous pouvez avoir avant de poser une carte.",
        "From Vendôme. Pictures the hands you may hold before laying a card.",
    ),
    "persona/8": (
        "De Lavardin, où se joue le championnat. Personne dans la vallée n'est plus fort.",
        "From Lavardin, where the championship is played. Nobody in the valley is better.",
    ),
    "persona/named": ("{name}, niveau {number}", "{name}, level {number}"),
}

PERSONAS = (
    ("Lison", "Titouan", "Colette", "Milo"),
    ("Gaston", "Raymonde", "Firmin", "Paulette"),
    ("Léontine", "Marius", "Yvonne", "Clovis"),
    ("Basile", "Henriette", "Ambroise", "Irma"),
    ("Odette", "Gustave", "Eulalie", "Prosper"),
    ("Fernand", "Georgette", "Anatole", "Blanche"),
    ("Solange", "Théodore", "Joséphine", "Hector"),
    ("Anselme", "Clémence", "Aristide", "Victoire"),
)
"""By level from 1: a name, and those of relatives for where one level has several chairs."""


def free_name(names: Sequence[str], taken: Collection[str]) -> str:
    """The first name that nobody has taken; empty if there is none."""
    return next((name for name in names if name not in taken), "")
