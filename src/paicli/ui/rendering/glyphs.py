"""The ASCII form of every glyph paicli shows, for screen readers and old fonts."""

import re
import unicodedata

_ASCII = {
    "📋": "[plan]",
    "📝": "[review]",
    "👥": "[team]",
    "🧠": "[thinking]",
    "⏳": "[pending]",
    "▶": ">",
    "✅": "[done]",
    "❌": "[failed]",
    "⏭": "[skipped]",
    "⏹": "[stopped]",
    "🚀": "[start]",
    "⚡": "[parallel]",
    "🔄": "[replan]",
    "🛑": "[stop]",
    "⚠": "[!]",
    "↩": "[undo]",
    "🔍": "[check]",
    "●": "*",
    "•": "*",
    "→": "->",
    "…": "...",
    "·": "-",
    "×": "x",
    "─": "-",
    "┼": "+",
    "›": ">",
    "↑": "Up/",
    "↓": "Down",
    "–": "-",
    "│": "|",
    "└": "`",
    "╭": ".",
    "╰": "'",
    "✓": "[x]",
    "○": "[ ]",
    "◐": "[>]",
    "⋯": "...",
    "█": "#",
    "░": ".",
}

_VARIATION = "\ufe0f"
_JOINER = "\u200d"
_PICTURE = re.compile(f"[{''.join(_ASCII)}]{_VARIATION}?|[\U0001f000-\U0001faff\u2600-\u27bf{_JOINER}{_VARIATION}]")


def without_glyphs(text: str) -> str:
    """`text` with each glyph and emoji in ASCII words; letters of any language stay."""
    return text if text.isascii() else _PICTURE.sub(lambda found: _spelled(found[0]), text)


def _spelled(picture: str) -> str:
    if picture in (_VARIATION, _JOINER):
        return ""
    glyph = picture.removesuffix(_VARIATION)
    return _ASCII.get(glyph) or f"[{unicodedata.name(glyph, 'emoji').lower()}]"
