"""Programs that reach out of this machine, those that only handle text, and where URLs stand in their arguments."""

import re
from collections.abc import Collection, Sequence

from paicli.policy.shell.calls import has_abbreviation
from paicli.policy.shell.carried import option_values
from paicli.policy.shell.force_push import subcommand_at
from paicli.policy.shell.programs import INTERPRETERS, SHELLS, name_of
from paicli.policy.shell.words import Word
from paicli.policy.urls.normalise import is_loopback

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
     "mail", "mailx", "mutt", "swaks", "websocat", "wscat", "grpcurl", "mosquitto_pub", "mosquitto_sub",
     "ssh-copy-id", "ssh-keyscan", "autossh", "sshfs", "wormhole",
     "magic-wormhole", "twine", "xdg-open", "browse", "sensible-browser", "firefox", "chromium", "google-chrome",
     "softwareupdate", "tailscale", "ngrok", "cloudflared", "cvs", "skopeo", "crane", "ntpdate", "dhclient", "openvpn",
     "smbclient", "curlftpfs", "msmtp", "cpan", "cpanm", "easy_install", "arp-scan", "browsh", "sqlcmd", "cqlsh",
     "vegeta", "telegram-send", "twilio", "kaggle", "huggingface-cli", "hf", "firebase", "fly", "railway", "wrangler",
     "supabase", "wg-quick", "nix-shell", "guix"}
)  # fmt: skip

_DATABASE_CLIENTS = frozenset({"psql", "mysql", "mariadb", "mongo", "mongosh", "redis-cli"})
"""Without a host they talk to this machine."""
_HOST_OPTIONS = ("-h", "--host")

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
     "yank", "vendor", "remote", "ping", "star", "token", "profile", "it", "in", "isntall", "clean-install",
     "install-test", "install-ci-test", "clean-install-test", "cit", "sit", "dedupe", "ddp", "doctor"}
)  # fmt: skip
_VERBS: dict[str, frozenset[str]] = {
    **dict.fromkeys(
        ("pip", "pip3", "npm", "pnpm", "bun", "uv", "poetry", "pdm", "hatch", "pipenv", "bundle", "bundler", "composer",
         "cargo", "gem", "rustup", "deno", "nuget", "corepack", "rye", "pixi"),
        _PACKAGE_VERBS,
    ),
    "pnpm": _PACKAGE_VERBS - {"exec"},
    **dict.fromkeys(("yarn", "bundle"), _PACKAGE_VERBS - {"exec"} | {""}),
    "cargo": frozenset({"install", "add", "update", "fetch", "publish", "search", "login", "yank", "owner", "vendor"}),
    "deno": frozenset({"install", "add", "cache", "publish", "upgrade", "jupyter", "info"}),
    "bun": _PACKAGE_VERBS - {"x"} | {"x", "create"},
    "uv": frozenset({"sync", "add", "lock", "tool", "self", "python", "publish", "install", "download", "compile"}),
    "go": frozenset({"get", "install", "download", "tidy", "telemetry"}),
    "git": frozenset({"clone", "fetch", "pull", "push", "ls-remote", "send-email", "request-pull", "svn", "p4", "lfs",
                      "fetch-pack", "http-fetch", "http-push", "send-pack", "imap-send", "annex"}),
    "docker": frozenset({"pull", "push", "login", "logout", "search", "run", "build", "buildx", "compose", "create"}),
    "podman": frozenset({"pull", "push", "login", "logout", "search", "run", "build", "create"}),
    "svn": frozenset({"checkout", "co", "update", "up", "commit", "ci", "export", "import", "list", "ls", "log"}),
    "hg": frozenset({"clone", "pull", "push", "incoming", "outgoing", "in", "out"}),
    **dict.fromkeys(("terraform", "tofu", "terragrunt"),
                    frozenset({"init", "apply", "plan", "destroy", "get", "login", "refresh"})),
    **dict.fromkeys(("flutter", "dart"), frozenset({"get", "add", "upgrade", "publish", "global"})),
    "swift": frozenset({"resolve", "update"}),
    "docker-compose": frozenset({"pull", "push", "up", "build", "run", "create"}),
    **dict.fromkeys(("mix", "rebar3", "lein"), frozenset({"deps.get", "deps.update", "hex.publish", "get-deps", "deps",
                                                          "upgrade", "deploy"})),
    "mvn": frozenset({"deploy", "dependency:get", "dependency:resolve", "dependency:go-offline", "site-deploy"}),
    "dotnet": frozenset({"restore", "add", "tool", "nuget", "workload", "new"}),
    "openssl": frozenset({"s_client", "s_server", "s_time", "ocsp"}),
    "nvm": frozenset({"install", "ls-remote", "upgrade"}),
    "pyenv": frozenset({"install", "update"}),
    "asdf": frozenset({"install", "plugin", "update"}),
    "code": frozenset({"--install-extension"}),
}  # fmt: skip
_SECOND = {**dict.fromkeys(("flutter", "dart"), frozenset({"pub"})), "swift": frozenset({"package"}),
           "yarn": frozenset({"global"}), "rustup": frozenset({"toolchain", "component", "target"}),
           "go": frozenset({"mod", "tool"}), "uv": frozenset({"pip"}), "docker": frozenset({"image", "container"}),
           "podman": frozenset({"image", "container"}), "git": frozenset({"lfs"})}  # fmt: skip
"""Words before the verb itself."""

_GIT_OUTGOING_AFTER = {"submodule": {"update", "add", "sync"}, "remote": {"update", "show", "prune"}}
GIT_WITH_URLS = frozenset(
    {"clone", "fetch", "pull", "push", "ls-remote", "submodule", "remote", "config", "archive", "lfs", "svn", "bundle"}
)
"""Verbs of git whose arguments may be a repository."""

_TRANSFER_VERBS = frozenset(
    {"install", "uninstall", "pull", "push", "fetch", "download", "upload", "publish", "deploy", "clone", "login",
     "update", "upgrade", "sync", "get", "search"}
)  # fmt: skip
"""What a program nobody listed does by such a word is most likely a transfer."""
_LOCAL_TOOLS = frozenset(
    {"make", "gmake", "ninja", "cmake", "meson", "just", "task", "bazel", "systemctl", "service", "launchctl",
     "xcodebuild", "mvn", "gradle", "gradlew", "ant", "rails", "rake", "artisan", "manage.py", "alembic", "flask",
     "kill", "man", "sleep", "mount", "tmux", "screen", "code", "export", "set", "type", "which", "alias", "trap",
     "eval", "source", "dpkg", "rpm", "ln", "chmod", "chown", "install", "tar", "zip", "unzip", "gzip", "dd", "date",
     "ps", "pgrep", "ctest", "pytest", "tox", "nox", "mypy", "ruff", "eslint", "prettier", "black", "tsc", "jest",
     "vitest", "update-alternatives", "ldconfig", "crontab", "git-lfs"}
)  # fmt: skip
"""In their arguments such a word is a target, a name or a task of the project."""
_KEY_SERVER_OPTIONS = ("--recv", "--keyserver", "--refresh-keys", "--search-keys", "--send-keys", "--fetch-keys")

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


_VERSIONED = re.compile(r"(?<=^pip3)\.\d+$")
_PYTHON_MODULES = frozenset({"webbrowser", "ftplib", "smtplib", "telnetlib"})


def goes_out(words: Sequence[Word]) -> bool:
    """Whether the program, called so, reaches out of this machine as far as its text tells."""
    word, name = words[0], name_of(words).lower()
    texts = [word.text for word in words]
    if name in {"get", "post", "head"}:
        name = name_of(words)  # `head` prints lines, `HEAD` fetches
    name = _VERSIONED.sub("", name) or name
    if name.startswith("python") and len(texts) > 2 and texts[1] == "-m":
        return texts[2] in _PYTHON_MODULES or goes_out([word._replace(text=texts[2]), *words[3:]])
    if name in _DATABASE_CLIENTS:
        hosts = [value.text for value in option_values(words, _HOST_OPTIONS)]
        return any("://" in text for text in texts) or not all(is_loopback(host) or host[:1] == "/" for host in hosts)
    if name in _ALWAYS:
        return len(texts) < 2 or texts[1] not in {"--version", "-V", "--help"}
    if name in _INSTALLERS:
        return len(texts) > 1 and texts[1] not in _LOCAL_VERBS
    if name == "rsync":
        return any(_is_remote(text) for text in texts[1:])
    if name == "git":
        return _git_goes_out(words)
    verbs = _VERBS.get(name)
    if verbs is not None:
        return _verb(name, texts) in verbs or _names_what_is_fetched(name, texts)
    if name in {"gpg", "gpg2"}:
        return any(text.startswith(_KEY_SERVER_OPTIONS) for text in texts)
    return name not in _LOCAL_TOOLS | TEXT_HANDLERS | SHELLS | INTERPRETERS and _verb(name, texts) in _TRANSFER_VERBS


def _names_what_is_fetched(name: str, texts: Sequence[str]) -> bool:
    """`go run x.org/y@latest`, `uv run --with x`."""
    if name == "go":
        return any("@" in text for text in texts[2:] if not text.startswith("-"))
    return name == "uv" and any(text.startswith("--with") for text in texts[1:])


def asks_a_local_service(words: Sequence[Word]) -> bool:
    """Whether a database of this machine is asked: what it answers is not ours either."""
    return name_of(words) in _DATABASE_CLIENTS and not goes_out(words)


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
    name = name_of(words)
    if name not in {"curl", "wget"}:
        return False
    diverting = DIVERTING if name == "wget" else DIVERTING - _DIVERTING_ONLY_WGET
    options = [word.text for word in words[1:] if word.text.startswith("-")]
    longs = [option[2:] for option in diverting if option.startswith("--")]
    letters = {option[1] for option in diverting if not option.startswith("--")}
    return has_abbreviation(options, longs) or any(_has_letter(option, letters, name) for option in options)


def _has_letter(cluster: str, letters: Collection[str], name: str) -> bool:
    """Whether one of the letters is an option in `-sKfile`; behind a letter with a value stands that value."""
    valued = VALUED[name][0]
    own = cluster[1:] if cluster[:2] != "--" else ""
    end = next((at for at, letter in enumerate(own) if letter in valued and letter not in letters), len(own))
    return any(letter in own[:end] for letter in letters)


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
