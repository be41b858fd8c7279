"""Names of files that hold keys and passwords: reading one goes past a review or a person, never by itself."""

import re
from fnmatch import fnmatchcase

_NAMES = re.compile(
    r"\.envrc|.+\.env|\.env(?:\.(?!example$|sample$|template$|dist$|defaults?$).*)?|.*\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)"
    r"|id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.npmrc|\.pypirc|\.git-credentials"
    r"|\.htpasswd|credentials(?:\.(?:json|ya?ml|toml|ini|csv))?|secrets?\.(?:json|ya?ml|toml|ini|env)"
    r"|service[-_]account.*\.json|\.vault[-_]?pass.*|terraform\.tfstate.*|shadow|.*_history|\.dockercfg|auth\.json",
    re.IGNORECASE,
)
_FOLDERS = frozenset(
    {".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".password-store", ".paicli", "gcloud"}
)
_ALL_PROCESSES = re.compile(r"/proc/(?:[^/]+)/(?:environ|mem|maps|cmdline|fd(?:/.*)?|root(?:/.*)?|cwd(?:/.*)?)")
_WILDCARDS = "*?["
_SAMPLES = (".env", ".env.local", ".envrc", "id_rsa", ".netrc", ".npmrc", "server.key", "key.pem", "credentials")


def is_secret(text: str) -> bool:
    """Whether the word, or the value behind its `=` or `:`, names such a file or folder, or a pattern that may."""
    pieces = {text, *text.split("="), *text.split(":")}
    return any(_is_secret_path(piece.lstrip("@")) for piece in pieces if piece)


def may_name_secret(pattern: str) -> bool:
    """Whether a search's file pattern, in which `*` stands for a leading dot too, takes in such a file."""
    last = pattern.casefold().rstrip("/").rsplit("/", 1)[-1]
    return is_secret(pattern) or any(fnmatchcase(sample, last) for sample in _SAMPLES)


def _is_secret_path(path: str) -> bool:
    parts = [part for part in path.casefold().split("/") if part not in {"", "."}]
    if not parts:
        return False
    if _ALL_PROCESSES.fullmatch(path) or not _FOLDERS.isdisjoint(parts):
        return True
    last = parts[-1]
    if any(wildcard in last for wildcard in _WILDCARDS):
        if last.startswith("."):
            return any(_may_mean(last, sample) for sample in _SAMPLES)
        return _NAMES.fullmatch(last.replace("*", "x").replace("?", "x")) is not None
    return _NAMES.fullmatch(last) is not None


def _may_mean(pattern: str, name: str) -> bool:
    """Whether the pattern's part before its first wildcard is a beginning of the name."""
    head = re.split(r"[*?\[]", pattern, maxsplit=1)[0]
    return name.startswith(head) and bool(head)
