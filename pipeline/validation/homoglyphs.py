"""Letters of other scripts that look like Latin ones, for folding disguised words.

The pairs follow the idea of Unicode Technical Standard 39 (confusables), cut to letters that pass for a Latin letter
in running text.
"""

from __future__ import annotations

_PAIRS = {
    "a": "аαɑᴀ∂",
    "b": "ЬƄʙ",
    "c": "сϲᴄ",
    "d": "ԁᴅɗ",
    "e": "еεєɛᴇ℮",
    "f": "ƒꜰ",
    "g": "ɡɢց",
    "h": "һнʜհ",
    "i": "іιɪı",
    "j": "јʝᴊ",
    "k": "кκᴋ",
    "l": "ⅼӏʟ",
    "m": "мᴍ",
    "n": "пηɴռ",
    "o": "оοσօᴏо",
    "p": "рρᴘ",
    "q": "ԛ",
    "r": "гʀ",
    "s": "ѕꜱ",
    "t": "тτᴛ",
    "u": "υսᴜ",
    "v": "νѵᴠ",
    "w": "ԝωᴡш",
    "x": "хχ",
    "y": "уγʏү",
    "z": "ᴢ",
    "A": "АΑ",
    "B": "ВΒ",
    "C": "СϹ",
    "D": "Ꭰ",
    "E": "ЕΕ",
    "G": "Ԍ",
    "H": "НΗ",
    "I": "ІΙӀ",
    "J": "Ј",
    "K": "КΚ",
    "M": "МΜ",
    "N": "Ν",
    "O": "ОΟ",
    "P": "РΡ",
    "Q": "Ԛ",
    "R": "Ꭱ",
    "S": "Ѕ",
    "T": "ТΤ",
    "V": "Ѵ",
    "W": "Ԝ",
    "X": "ХΧ",
    "Y": "ҮΥ",
    "Z": "Ζ",
}

_SPELLED = {
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ß": "ss",
    "æ": "ae",
    "Æ": "AE",
    "œ": "oe",
    "Œ": "OE",
    "ħ": "h",
    "ŧ": "t",
    "ƀ": "b",
    "ɨ": "i",
    "ʉ": "u",
    "ⱥ": "a",
    "ȼ": "c",
    "ɇ": "e",
}

LOOKALIKES: dict[str, str] = {char: latin for latin, chars in _PAIRS.items() for char in chars} | _SPELLED
"""What a look-alike stands for; one character each, but for the spelled-out ligatures."""
