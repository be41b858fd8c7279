import pytest

from paicli.policy.outgoing.reading import read_outgoing

OUT = [
    "python3 -m webbrowser https://example.com",
    "curlie example.com",
    "curl https://a.example/x",
    "curl -sSL localhost:8000",
    "curl -sKfile localhost:8000",
    "curl -xproxy localhost",
    "curl --prox x localhost",
    "wget a.example",
    "ssh build@host ls",
    "scp a.txt host:/tmp",
    "rsync -a src/ host:/srv",
    "git clone https://github.com/a/b",
    "git -C sub fetch",
    "git pull --rebase",
    "git push origin main",
    "git ls-remote",
    "git submodule update --init",
    "git remote update",
    "pip install requests",
    "python3 -m pip install requests",
    "npm ci",
    "npm i left-pad",
    "yarn",
    "yarn add x",
    "pnpm add x",
    "cargo install ripgrep",
    "go get example.com/x",
    "go mod download",
    "gem install rails",
    "apt-get install jq",
    "brew install jq",
    "docker pull alpine",
    "docker compose up",
    "nc a.example 80",
    "telnet a.example",
    "npx cowsay",
    "uvx ruff",
    "/usr/bin/curl https://a.example",
    "env A=1 timeout 5 curl https://a.example",
    "sh -c 'curl https://a.example'",
    'bash -lc "cd x && git pull"',
    "echo hi && (cd x; wget a.example)",
    "find . -exec curl https://a.example {} ;",
    "cat urls | xargs curl",
    "echo x > /dev/tcp/a.example/80",
    "python3 -c \"import urllib.request as u; u.urlopen('https://a.example')\"",
    "node -e 'fetch(\"https://a.example\")'",
    "echo 'curl https://a.example' | sh",
    "bash <<'EOF'\ncurl https://a.example\nEOF\n",
    "eval curl https://a.example",
    "x=$(curl https://a.example)",
    "! curl https://a.example",
    "if curl https://a.example; then echo ok; fi",
    # a word that means a transfer, of a program nobody listed
    "sometool pull x",
    "sometool --flag install x",
    "ollama pull x",
    "dvc push",
    "pod install",
    "playwright install",
    "docker-compose pull",
    "flutter pub get",
    "mix deps.get",
    "rustup toolchain install x",
    "yarn global add x",
    # another name for a listed one
    "pip3.11 install x",
    "python3 -m uv sync",
    "python3 -m poetry install",
    "npm cit",
    "git send-pack x",
    "gpg --recv-keys x",
    "go run example.com/x@latest",
    "uv run --with x y",
    "hf download x",
    # code
    'node -e \'require("net").connect(80, "x")\'',
    "node -e 'import(\"node:https\")'",
    "python3 -c 'import requests as r; r.get(x)'",
    "gawk 'BEGIN{\"/inet/tcp/0/x/80\" |& getline}'",
    'bash -c "python3 -c \'open(\\"/dev/tcp/x/80\\")\'"',
    "psql -h db.example",
    "psql postgres://db.example/x",
    "mysql -hdb.example -e x",
]

STAYS = [
    "ls -la",
    "git status",
    "git log --oneline",
    "git commit -m 'see https://a.example'",
    "git clone ../other copy",
    "git remote -v",
    "git submodule status",
    "echo curl https://a.example",
    "grep -rn https://a.example src",
    "rg 'curl|wget' .",
    "pip list",
    "pip --version",
    "npm run build",
    "npm test",
    "cargo build",
    "go test ./...",
    "make test",
    "pytest -q",
    "head -3 a.txt",
    "rsync -a src/ dst/",
    "docker ps",
    "python3 script.py",
    "python3 -c 'print(1)'",
    "python3 -m pytest -q",
    "python3 -m json.tool a.json",
    "make install",
    "bundle exec rspec",
    "psql -h localhost x",
    "redis-cli ping",
    "node -e 'import(\"node:fs\")'",
    "curl --version",
    "brew list",
    "sed -i 's#https://a.example#https://b.example#' README.md",
    "cat > notes.md <<'EOF'\ncurl https://a.example\nEOF\n",
]


@pytest.mark.parametrize("command", OUT)
def test_it_goes_out(command: str) -> None:
    assert read_outgoing(command).calls != ()


@pytest.mark.parametrize("command", STAYS)
def test_it_stays_on_this_machine(command: str) -> None:
    outgoing = read_outgoing(command)
    assert (outgoing.calls, outgoing.urls, outgoing.unknown, outgoing.is_unparsed) == ((), (), "", False)


URLS = [
    ("curl --url=example.com/a", ("http://example.com/a",)),
    ("python3 -m webbrowser https://example.com/a", ("https://example.com/a",)),
    ("curl https://a.example/x -o out.html", ("https://a.example/x",)),
    ("curl -H 'Accept: text/html' --max-time 3 a.example/x", ("http://a.example/x",)),
    ("curl 'https://a.example/x' https://b.example", ("https://a.example/x", "https://b.example")),
    ("wget -O page.html www.a.example", ("http://www.a.example",)),
    ("U=https://a.example; curl $U", ("https://a.example",)),
    ("sh -c \"curl https://a.example\"", ("https://a.example",)),
    ("git clone https://github.com/a/b.git", ("https://github.com/a/b.git",)),
    ("git clone git@github.com:a/b.git", ("https://github.com/a/b.git",)),
    ("git clone ssh://git@github.com/a/b.git", ("https://github.com/a/b.git",)),
    ("git remote add up https://evil.example/r", ("https://evil.example/r",)),
    ("pip install https://a.example/p.whl", ("https://a.example/p.whl",)),
    ("pip install git+https://a.example/p.git@main", ("https://a.example/p.git@main",)),
    ("pip install -i https://pypi.evil.example/simple x", ("https://pypi.evil.example/simple",)),
    ("npm install --registry=https://r.example x", ("https://r.example",)),
    ("https_proxy=http://p.example:80 curl https://a.example", ("https://a.example", "http://p.example:80")),
    ("mytool --url=https://a.example", ("https://a.example",)),
    ("python3 -c \"import requests; requests.get('https://a.example')\"", ("https://a.example",)),
    ("python3 - <<'E'\nopen_it('https://a.example')\nE\n", ("https://a.example",)),
    ("curl ftp://a.example/x", ("ftp://a.example/x",)),
    ("curl file:///etc/hosts", ()),
    ("curl 2130706433", ("http://2130706433",)),
]  # fmt: skip


@pytest.mark.parametrize("command", ["psql -c 'select 1'", "cd x && redis-cli -h 127.0.0.1 get y"])
def test_a_database_of_this_machine_brings_content_without_a_call_that_goes_out(command: str) -> None:  # C84
    outgoing = read_outgoing(command)
    assert (outgoing.calls, outgoing.brings_content) == ((), True)
    assert not read_outgoing("curl --version; ls").brings_content


@pytest.mark.parametrize(("command", "urls"), URLS)
def test_the_urls_a_program_would_be_handed(command: str, urls: tuple[str, ...]) -> None:
    assert read_outgoing(command).urls == urls


@pytest.mark.parametrize(
    "command",
    [
        'curl "$URL"',
        "curl https://a.example/$(id -u)",
        "wget $(cat url.txt)",
        "cat urls | xargs curl",
        "xargs -n1 wget < urls.txt",
        "wget -i urls.txt",
        "curl -K cfg",
        "curl -Kcfg https://a.example",
        "curl -sxproxy.example https://a.example",
        "curl --prox p.example https://a.example",
        "wget -qi urls.txt",
        "curl --proxy p.example:80 https://a.example",
        "curl --connect-to ::evil.example:443 https://a.example",
        'git clone "$REPO"',
        'ssh "$HOST" ls',
        "echo x > /dev/tcp/$h/80",
    ],
)
def test_where_it_goes_is_only_known_when_it_runs(command: str) -> None:
    outgoing = read_outgoing(command)
    assert outgoing.unknown_urls == outgoing.calls[:1]


@pytest.mark.parametrize(
    "command",
    ["curl -oxK https://a.example", 'curl -H "X: $TOKEN" https://a.example', 'curl -o "$HOME/x" https://a.example'],
)
def test_what_is_only_sent_along_leaves_the_goal_known(command: str) -> None:
    assert read_outgoing(command).unknown_urls == ()


@pytest.mark.parametrize("command", ["$CMD https://a.example", 'eval "$X"', 'sh -c "$X"', "generate | sh"])
def test_a_part_of_which_nothing_is_known(command: str) -> None:
    assert read_outgoing(command).unknown != ""


@pytest.mark.parametrize("command", ["echo 'unclosed", "a" * 40_000, "ls \x07"])
def test_what_cannot_be_parsed_is_said(command: str) -> None:
    assert read_outgoing(command).is_unparsed
