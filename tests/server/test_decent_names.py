"""The worst words are kept out of public names, in simple disguises too; honest names are not."""

from __future__ import annotations

import pytest

from chouine.names import NameRefused
from chouine.phrases.personas import PERSONAS
from chouine.server.decent_names import decent_name, is_rude
from chouine.server.forms import COMPUTERS, name_of

SURNAMES = """
Martin Bernard Thomas Petit Robert Richard Durand Dubois Moreau Laurent Simon Michel Lefebvre Leroy Roux David
Bertrand Morel Fournier Girard Bonnet Dupont Lambert Fontaine Rousseau Vincent Muller Lefevre Faure Andre
Mercier Blanc Guerin Boyer Garnier Chevalier François Legrand Gauthier Garcia Perrin Robin Clement Morin
Nicolas Henry Roussel Mathieu Gautier Masson Marchand Duval Denis Dumont Marie Lemaire Noel Meyer Dufour
Meunier Brun Blanchard Giraud Joly Riviere Lucas Batard Bâtard Cocu Lecocu Connart Conard Cornard Connan Conin
Lecon Bittard Bitton Biteau Lebite Habite Bithell Couillard Couilleau Couillaud Cul Culot Culioli Lecul Negre
Nègre Lenègre Négrier Pédron Pedeau Pedelaborde Pedretti Putot Puton Putz Putin Putaux Fuchs Fuchser Fagot
Faget Fagnon Schitter Shields Slutsky Niquet Niqueux Monnier Monique Merdrignac Salaün Salot Salop Salou
Enculescu Nazaire Nazarian Hitier Hittler Trouduit Trou Violet Violette Viollet Ducon Leconte Conte Cunin
Cunault Cuny Kikel Dick Dickens Cockburn Assholm Pissot Pisse Chiasson Chiron Bordel Bordelais Foutrier Baise
Baisnée Baissac Gouin Gouineau Tapin Tafforeau Pakin Packard Whorf Twatt-Hay Bitcheler Hancock Scunthorpe
"""
VILLAGES = """
Montoire-sur-le-Loir, Lavardin, Trôo, Couture-sur-Loir, Thoré-la-Rochette, Vendôme, Savigny-sur-Braye,
Mondoubleau, Connerré, Saint-Calais, Bessé-sur-Braye, La Chartre-sur-le-Loir, Ruillé-sur-Loir, Les
Roches-l'Évêque, Ternay, Artins, Sougé, Fontaine, Bitche, Condom, Montcuq, Pussy, Anus, Corps-Nuds, Seix,
Sexey-aux-Forges, Arnac-la-Poste, Bèze, Baisieux, Puteaux, Putot-en-Auge, Puttelange-aux-Lacs, Merdrignac,
Cunèges, Cunlhat, Nazelles-Négron, Trécon, Salouël, Saligos, Fouquebrune, Le Fagnon, Chitray, Fouchères,
Niquelhes, Conne-de-Labarde, La Verge, Vagney, Bourré, Cocumont, Vatan, Poil, Latrine, Monteton, Angoisse,
Simplé
"""
OTHERS = "P. D.", "Anne 2", "Zoé", "Éric Onnard", "李", "Оля", "Jean-Paul le Boulanger"


def test_honest_names_are_not_refused() -> None:
    villages = [name.strip() for name in VILLAGES.split(",")]
    first = [f"Jean {name}" for name in SURNAMES.split()]
    assert len(villages) > 50
    assert not [name for name in (*SURNAMES.split(), *first, *villages, *OTHERS) if is_rude(name)]


def test_the_computers_names_are_not_refused() -> None:
    names = [name for row in (*PERSONAS, *COMPUTERS.values()) for name in row]
    assert not [name for name in names if is_rude(name)]


@pytest.mark.parametrize(
    "name",
    [
        "Connard",
        "CONNARDS",
        "Gros connard",
        "c o n n a r d",
        "C.o.n.n.a.r.d",
        "c0nnard",
        "Connnnard!",
        "сonnаrd",  # Cyrillic с and а
        "Enculé",
        "Enculer 3",
        "€ncu1é",
        "Jean l'enculé",
        "Pute",
        "pu7e",
        "Puuuute",
        "P_U_T_E",
        "Fils de pute",
        "5alope",
        "$alope69",
        "niquetamere",
        "H1tler",
        "Adolf Hitler 88",
        "Nazi",
        "FUCK you",
        "f.u.c.k",
        "fuuuuck",
        "Motherfucker",
        "Bitch",
        "b!tch",
        "n1gger",
        "Shithead Shit",
        "Wanker",
    ],
)
def test_the_worst_words_are_refused(name: str) -> None:
    assert is_rude(name)
    with pytest.raises(NameRefused):  # mixed scripts for that alone
        decent_name(name, 60)


def test_every_public_name_goes_through_it() -> None:
    with pytest.raises(NameRefused) as refused:
        name_of("Gros connard")
    assert refused.value.code == "name/rude"
