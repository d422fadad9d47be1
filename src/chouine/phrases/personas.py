"""The computer opponents: each level is a person of the Loir valley, with relatives of the same strength."""

from chouine.phrases.catalogue import N_

PHRASES = {
    "persona/1": N_("From Trôo, eight years old. Learnt last night, and plays whatever card looks nice."),
    "persona/2": N_("From Thoré. Plays fast, laughs a lot, forgets what has fallen."),
    "persona/3": N_("From Artins. Comes for the company; now and then counts the trumps."),
    "persona/4": N_("From Couture. Knows the game, still wavers between two good cards."),
    "persona/5": N_("From Ternay. Forgets little; it is the last tricks that cost."),
    "persona/6": N_("From Montoire. Counts everything, and makes no mistake once the talon is gone."),
    "persona/7": N_("From Vendôme. Pictures the hands you may hold before laying a card."),
    "persona/8": N_("From Lavardin, where the championship is played. Nobody in the valley is better."),
    "persona/named": N_("%(name)s, level %(number)s"),
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
"""By level from 1: a name, and those of relatives for where one level holds several seats."""
