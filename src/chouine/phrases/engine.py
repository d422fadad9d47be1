"""Players and the engine protocol: what could not be read, and what went wrong with a program that plays."""

PHRASES = {
    "player/unknown": (
        "Joueur inconnu : {token}. Connus : {known}.",
        "Unknown player: {token}. Known: {known}.",
    ),
    "engine/command": (
        "Commande inconnue : « {token} ». Connues : hello, option, view, go, quit.",
        "Unknown command: '{token}'. Known: hello, option, view, go, quit.",
    ),
    "engine/option": (
        "Option inconnue : « {token} ». Connue : level N.",
        "Unknown option: '{token}'. Known: level N.",
    ),
    "engine/level": (
        "Niveau inconnu : {token}. De 1 à {highest}.",
        "Unknown level: {token}. From 1 to {highest}.",
    ),
    "engine/limit": (
        "Limite illisible : « {token} ». Écrire go, go time N (millisecondes) ou go nodes N.",
        "Limit not understood: '{token}'. Write go, go time N (milliseconds) or go nodes N.",
    ),
    "engine/no-view": (
        "Aucune vue : donner d'abord « view PLACE LIGNE ».",
        "No view: give 'view SEAT LINE' first.",
    ),
    "engine/none": (
        "Ce programme n'existe pas : {command}.",
        "There is no such program: {command}.",
    ),
    "engine/forbidden": (
        "Ce programme n'a pas le droit d'être lancé : {command}.",
        "This program may not be run: {command}.",
    ),
    "engine/command-line": (
        "Cette ligne de commande est vide, ou un guillemet n'y est pas fermé : {command}.",
        "This command line is empty, or a quotation mark in it is not closed: {command}.",
    ),
    "engine/start": (
        "Le programme ne démarre pas : {command}.",
        "The program does not start: {command}.",
    ),
    "engine/silent": (
        "Le programme n'a pas répondu en {seconds} s : {command}.",
        "The program gave no answer in {seconds} s: {command}.",
    ),
    "engine/deaf": (
        "Le programme ne lit plus ce qu'on lui dit : {command}.",
        "The program no longer reads what it is told: {command}.",
    ),
    "engine/ended": (
        "Le programme s'est arrêté : {command}.",
        "The program has ended: {command}.",
    ),
    "engine/rules": (
        "Le programme ne joue pas ces règles : {command}, {rules}.",
        "The program does not play these rules: {command}, {rules}.",
    ),
    "engine/unreadable": (
        "Réponse illisible du programme {command} : « {token} ».",
        "Unreadable answer from the program {command}: '{token}'.",
    ),
    "engine/illegal": (
        "Le programme {command} a répondu « {token} », qui n'est pas permis.",
        "The program {command} answered '{token}', which is not legal.",
    ),
    "engine/refused": (
        "Le programme {command} a répondu par une erreur : « {token} ».",
        "The program {command} answered with an error: '{token}'.",
    ),
}
