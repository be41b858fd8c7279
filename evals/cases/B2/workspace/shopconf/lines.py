"""What a line is, and what stands in it."""


def split_lines(text):
    return text.splitlines()


def entry_in(line):
    """(key, value) without the spaces around them; None for a comment, a section or an empty line."""
    stripped = line.strip()
    if not stripped or stripped[0] in "#;[" or "=" not in stripped:
        return None
    key, _, value = stripped.partition("=")
    return key.strip(), value.strip()
