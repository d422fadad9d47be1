"""Why an action is refused: the codes of `rules.explain`. `suit` is the suit led, `trump` the trump suit."""

PHRASES = {
    "illegal/over": ("La partie est finie, §12.", "The partie is over, §12."),
    "illegal/not-your-turn": ("Ce n'est pas à vous de jouer, §5.", "It is not your turn, §5."),
    "illegal/no-turnup": (
        "Pas d'échange à Mondoubleau : il n'y a pas de retourne, §17.",
        "No exchange in Mondoubleau: there is no turnup, §17.",
    ),
    "illegal/no-draw-left": (
        "Trop tard pour échanger le sept : on ne tire plus au talon, §11.",
        "Too late to exchange the seven: no more draws from the talon, §11.",
    ),
    "illegal/seven-turned": (
        "Pas d'échange : le sept d'atout est sur la table, §11.",
        "No exchange: the seven of trumps lies on the table, §11.",
    ),
    "illegal/no-seven": (
        "Vous n'avez pas le sept d'atout, §11.",
        "You do not hold the seven of trumps, §11.",
    ),
    "illegal/card-awaited": (
        "Vous avez annoncé : jouez maintenant votre carte, §9.",
        "You have declared: now play your card, §9.",
    ),
    "illegal/seven-on-lead": (
        "On n'échange le sept qu'en ayant la main, §11.",
        "The seven is exchanged only when on lead, §11.",
    ),
    "illegal/seven-too-late": (
        "Plus d'échange quand vient le dernier pli suivi d'un tirage, §11.",
        "No exchange once the last trick with a draw has come, §11.",
    ),
    "illegal/au-sept-past": (
        "« Au sept » a été dit et le pli est entamé : l'échange n'est plus possible, §11.",
        '"Au sept" was said and the trick has been led: no exchange any more, §11.',
    ),
    "illegal/not-held": ("Cette carte n'est pas dans votre main, §5.", "That card is not in your hand, §5."),
    "illegal/must-follow": (
        "Il reste du {suit} dans votre main : fournir est obligatoire, §8.",
        "You still hold {suit}: you must follow suit, §8.",
    ),
    "illegal/must-head": (
        "Vous pouvez monter à {suit} : monter est obligatoire, §8.",
        "You can beat the {suit} on the table: you must head the trick, §8.",
    ),
    "illegal/must-ruff": (
        "Vous n'avez plus de {suit} mais vous avez de l'atout {trump} : couper est obligatoire, §8.",
        "You have no {suit} but hold trumps ({trump}): you must ruff, §8.",
    ),
    "illegal/must-overruff": (
        "Vous pouvez surcouper à l'atout {trump} : surcouper est obligatoire, §8.",
        "You can beat the trump on the table ({trump}): you must overruff, §8.",
    ),
    "illegal/not-of-figure": (
        "La carte jouée doit faire partie de l'annonce, §9.",
        "The card played must be one of the combination, §9.",
    ),
    "illegal/no-such-figure": (
        "Cette annonce n'existe pas à ce nombre de joueurs, §9.",
        "There is no such declaration with this many players, §9.",
    ),
    "illegal/declare-on-lead": (
        "On n'annonce qu'en ayant la main, §9.",
        "Declarations are made only when on lead, §9.",
    ),
    "illegal/figure-not-held": (
        "Vous n'avez pas toutes les cartes de cette annonce en main, §9.",
        "You do not hold all the cards of that combination, §9.",
    ),
    "illegal/said-already": (
        "Cette annonce a déjà été faite, §9.",
        "That declaration has already been made, §9.",
    ),
    "illegal/suit-counted": (
        "Vous avez déjà annoncé dans cette couleur, §9.",
        "You have already declared in that suit, §9.",
    ),
    "illegal/figure-not-playable": (
        "Aucune carte de cette annonce ne peut être jouée maintenant, §9.",
        "No card of that combination may be played now, §9.",
    ),
}
