"""Programs that reach out of this machine, those that only handle text, and where URLs stand in their arguments."""

import re
from collections.abc import Sequence

from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.programs import name_of
from paicli.policy.shell.words import Word

FETCHERS = frozenset(
    {"curl", "curlie", "wget", "wget2", "http", "https", "httpie", "xh", "xhs", "aria2c", "axel", "lynx", "w3m",
     "links", "elinks", "lwp-request", "lwp-download", "GET", "POST", "HEAD", "fetch", "yt-dlp", "youtube-dl", "ab",
     "hey", "wrk", "siege"}
)  # fmt: skip
"""Their operands are URLs, also without a scheme."""

_ALWAYS = FETCHERS | frozenset(
    {"ssh", "scp", "sftp", "ftp", "lftp", "ncftp", "tftp", "telnet", "nc", "ncat", "netcat", "socat", "mosh", "dig",
     "nslookup", "host", "drill", "ping", "ping6", "fping", "traceroute", "tracepath", "mtr", "whois", "nmap", "npx",
     "bunx", "uvx", "pipx", "pnpx", "gh", "glab", "hub", "aws", "gcloud", "gsutil", "az", "s3cmd", "rclone", "kubectl",
     "helm", "heroku", "vercel", "netlify", "flyctl", "doctl", "ansible", "ansible-playbook", "croc", "sendmail",
     "mail", "mailx", "mutt", "swaks", "websocat", "wscat", "grpcurl", "mosquitto_pub", "mosquitto_sub", "redis-cli",
     "psql", "mysql", "mongo", "mongosh", "ssh-copy-id", "ssh-keyscan", "autossh", "sshfs", "wormhole",
     "magic-wormhole", "twine", "xdg-open", "browse", "sensible-browser", "firefox", "chromium", "google-chrome",
     "softwareupdate", "tailscale", "ngrok", "cloudflared", "cvs"}
)  # fmt: skip

_INSTALLERS = frozenset(
    {"apt", "apt-get", "aptitude", "dnf", "yum", "pacman", "apk", "brew", "snap", "flatpak", "zypper", "port", "emerge",
     "choco", "scoop", "winget", "nix-env", "nix", "conda", "mamba", "micromamba"}
)  # fmt: skip
_LOCAL_VERBS = frozenset(
    {"list", "show", "info", "--version", "-v", "-V", "--help", "-h", "help", "config", "env", "--prefix"}
)

_PACKAGE_VERBS = frozenset(
    {"install", "i", "ci", "add", "update", "upgrade", "up", "download", "wheel", "index", "search", "sync", "fetch",
     "publish", "login", "logout", "whoami", "view", "info", "audit", "outdated", "create", "init", "exec", "dlx", "x",
     "dist-tag", "access", "deprecate", "unpublish", "get", "require", "push", "pull", "lock", "tool", "self", "owner",
     "yank", "vendor", "remote", "ping", "star", "token", "profile", "it", "in", "isntall", "clean-install"}
)  # fmt: skip
_VERBS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("pip", "pip3", "npm", "pnpm", "bun", "uv", "poetry", "pdm", "hatch", "pipenv", "bundle", "bundler", "composer",
         "cargo", "gem", "rustup", "deno", "nuget", "corepack", "rye", "pixi"),
        _PACKAGE_VERBS,
    ),
    "yarn": _PACKAGE_VERBS | {""},
    "cargo": frozenset({"install", "add", "update", "fetch", "publish", "search", "login", "yank", "owner", "vendor"}),
    "deno": frozenset({"install", "add", "cache", "publish", "upgrade", "jupyter", "info"}),
    "bun": _PACKAGE_VERBS - {"x"} | {"x", "create"},
    "uv": frozenset({"sync", "add", "lock", "tool", "self", "python", "publish", "install", "download", "compile"}),
    "go": frozenset({"get", "install", "download", "tidy", "telemetry"}),
    "git": frozenset({"clone", "fetch", "pull", "push", "ls-remote", "send-email", "request-pull", "svn", "p4", "lfs"}),
    "docker": frozenset({"pull", "push", "login", "logout", "search", "run", "build", "buildx", "compose", "create"}),
    "podman": frozenset({"pull", "push", "login", "logout", "search", "run", "build", "create"}),
    "svn": frozenset({"checkout", "co", "update", "up", "commit", "ci", "export", "import", "list", "ls", "log"}),
    "hg": frozenset({"clone", "pull", "push", "incoming", "outgoing", "in", "out"}),
    "terraform": frozenset({"init", "apply", "plan", "destroy", "get", "login", "refresh"}),
    "mvn": frozenset({"deploy", "dependency:get", "dependency:resolve", "dependency:go-offline", "site-deploy"}),
    "dotnet": frozenset({"restore", "add", "tool", "nuget", "workload", "new"}),
    "openssl": frozenset({"s_client", "s_server", "s_time", "ocsp"}),
    "nvm": frozenset({"install", "ls-remote", "upgrade"}),
    "pyenv": frozenset({"install", "update"}),
    "asdf": frozenset({"install", "plugin", "update"}),
    "code": frozenset({"--install-extension"}),
}  # fmt: skip
_SECOND = {"go": frozenset({"mod", "tool"}), "uv": frozenset({"pip"}), "docker": frozenset({"image", "container"}),
           "podman": frozenset({"image", "container"}), "git": frozenset({"lfs"})}  # fmt: skip
"""Words before the verb itself."""

_GIT_OUTGOING_AFTER = {"submodule": {"update", "add", "sync"}, "remote": {"update", "show", "prune"}}
GIT_WITH_URLS = frozenset(
    {"clone", "fetch", "pull", "push", "ls-remote", "submodule", "remote", "config", "archive", "lfs", "svn", "bundle"}
)
"""Verbs of git whose arguments may be a repository."""

TEXT_HANDLERS = frozenset(
    {"echo", "printf", "grep", "egrep", "fgrep", "rg", "ag", "ack", "sed", "awk", "gawk", "cat", "tee", "jq", "yq",
     "test", "[", "[[", "ls", "diff", "cmp", "head", "tail", "wc", "sort", "uniq", "cut", "tr", "find", "fd", "touch",
     "mkdir", "rm", "cp", "mv", "true", "false", ":", "read", "basename", "dirname", "expr", "perl", "ruby", "file",
     "stat"}
)  # fmt: skip
"""A URL in their arguments is text (what perl and ruby run is read as code)."""

VALUED: dict[str, tuple[str, frozenset[str]]] = {
    "curl": (
        "oHduXAebcFTmwDErCtyYzQPU",
        frozenset(
            {"--output", "--header", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--json", "--user",
             "--request", "--user-agent", "--referer", "--cookie", "--cookie-jar", "--form", "--upload-file",
             "--max-time", "--write-out", "--dump-header", "--cert", "--key", "--cacert", "--capath", "--range",
             "--retry", "--retry-delay", "--retry-max-time", "--connect-timeout", "--limit-rate", "--output-dir",
             "--oauth2-bearer", "--max-redirs", "--max-filesize", "--stderr", "--trace", "--trace-ascii"}
        ),
    ),
    "wget": (
        "OPoatTwUDARlQ",
        frozenset(
            {"--output-document", "--directory-prefix", "--output-file", "--append-output", "--tries", "--timeout",
             "--header", "--user-agent", "--post-data", "--post-file", "--user", "--password", "--wait", "--level",
             "--accept", "--reject", "--limit-rate"}
        ),
    ),
}  # fmt: skip
"""Short letters and long options of fetchers whose value is no URL."""

DIVERTING = frozenset(
    {"-x", "--proxy", "--preproxy", "--connect-to", "--resolve", "--doh-url", "-K", "--config", "--socks5",
     "--socks5-hostname", "--socks4", "--socks4a", "--proxy1.0", "--interface", "-i", "--input-file", "--variable",
     "--expand-url", "-e", "--execute", "--input-metalink"}
)  # fmt: skip
"""Options of curl and wget with which it connects elsewhere than the URL says, or takes the URLs from a file."""
_DIVERTING_ONLY_WGET = frozenset({"-i", "--input-file", "-e", "--execute", "--input-metalink"})

BARE_HOST = re.compile(
    r"(?:localhost|\[[0-9a-f:.]+\]|\d+(?:\.\d+){0,3}|0x[0-9a-f.x]+|(?:[\w-]+\.)+[a-z][a-z0-9-]+)\.?(?::\d+)?(?:[/?#].*)?",
    re.IGNORECASE,
)
_FILE_ENDINGS = (
    ".txt",
    ".json",
    ".html",
    ".md",
    ".xml",
    ".csv",
    ".log",
    ".gz",
    ".zip",
    ".sh",
    ".py",
    ".yaml",
    ".yml",
    ".pdf",
)


def goes_out(words: Sequence[Word]) -> bool:
    """Whether the program, called so, reaches out of this machine as far as its text tells."""
    name = name_of(words).lower()
    texts = [word.text for word in words]
    if name in {"get", "post", "head"}:
        name = name_of(words)  # `head` prints lines, `HEAD` fetches
    if name.startswith("python") and texts[1:3] == ["-m", "pip"]:
        name, texts = "pip", texts[2:]
    if name.startswith("python") and texts[1:3] == ["-m", "webbrowser"]:
        return True
    if name in _ALWAYS:
        return len(texts) < 2 or texts[1] not in {"--version", "-V", "--help"}
    if name in _INSTALLERS:
        return len(texts) > 1 and texts[1] not in _LOCAL_VERBS
    if name == "rsync":
        return any(_is_remote(text) for text in texts[1:])
    if name == "git":
        return _git_goes_out(words)
    verbs = _VERBS.get(name)
    return verbs is not None and _verb(name, texts) in verbs


def takes_bare_hosts(words: Sequence[Word]) -> bool:
    return name_of(words) in FETCHERS


def bare_urls(words: Sequence[Word]) -> list[str]:
    """Operands of a fetcher, and what its `--url=` names, that are URLs without a scheme."""
    named = [word.text.removeprefix("--url=") for word in words[1:] if word.text.startswith("--url=")]
    return [text for text in (*_operands(words), *named) if _looks_like_host(text)]


def has_unknown_goal(words: Sequence[Word], unknown: str) -> bool:
    """Whether where it goes is only known when it runs."""
    if any(unknown in text for text in _operands(words)):
        return True
    options = {word.text.split("=", 1)[0] for word in words[1:] if word.text.startswith("-")}
    name = name_of(words)
    diverting = DIVERTING if name == "wget" else DIVERTING - _DIVERTING_ONLY_WGET
    return name in {"curl", "wget"} and not diverting.isdisjoint(options)


def git_verb(words: Sequence[Word]) -> str:
    at = subcommand_at(words)
    return words[at].text if at < len(words) else ""


def _operands(words: Sequence[Word]) -> list[str]:
    """Words that are neither options nor the values of those that are known to take one."""
    letters, longs = VALUED.get(name_of(words), ("", frozenset[str]()))
    found: list[str] = []
    is_value = False
    for word in words[1:]:
        text = word.text
        if is_value:
            is_value = False
        elif text.startswith("--"):
            is_value = text in longs
        elif text.startswith("-") and len(text) > 1:
            first = next((place for place, letter in enumerate(text[1:], 1) if letter in letters), None)
            is_value = first == len(text) - 1
        else:
            found.append(text)
    return found


def _looks_like_host(text: str) -> bool:
    if "://" in text or BARE_HOST.fullmatch(text) is None:
        return False
    return "/" in text or not text.lower().endswith(_FILE_ENDINGS)


def _git_goes_out(words: Sequence[Word]) -> bool:
    at = subcommand_at(words)
    texts = [word.text for word in words[at:]]
    if not texts:
        return False
    verb, operands = texts[0], [text for text in texts[1:] if not text.startswith("-")]
    if verb in _GIT_OUTGOING_AFTER:
        return bool(operands) and operands[0] in _GIT_OUTGOING_AFTER[verb]
    if verb == "archive":
        return any(text.startswith("--remote") for text in texts)
    if verb in {"clone", "fetch", "pull", "ls-remote"} and operands:
        return not operands[0].startswith(("/", "./", "../", "file://")) and operands[0] != "."
    return verb in _VERBS["git"]


def _verb(name: str, texts: Sequence[str]) -> str:
    """Behind the options; "" where there is none."""
    words = [text for text in texts[1:] if not text.startswith("-") or text == "--install-extension"]
    if words and words[0] in _SECOND.get(name, frozenset()):
        words = words[1:]
    return words[0] if words else ""


def _is_remote(text: str) -> bool:
    """`host:path`, `rsync://…`."""
    head = text.split("/", 1)[0]
    return text.startswith("rsync://") or (":" in head and not text.startswith("-"))
