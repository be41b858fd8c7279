import pytest

from paicli.policy.command_rules import CommandPattern, is_allowed_by, pattern_for

BEYOND = [
    # options that say by their name that they write, load, start or reach elsewhere
    "pytest --cov-config=x", "pytest --report-log=x", "pytest --html=x", "pytest --snapshot-update", "pytest --trace",
    "pytest --config-file=x", "pytest --pyargs os", "pytest @more",
    "mypy --cobertura-xml-report x src", "mypy --linecount-report x src", "mypy @more",
    "tsc -b", "tsc --plugins x", "tsc --OUTDIR x", "tsc --outFile x",
    "eslint --fix src", "eslint -f ./x.js src", "eslint --fix-dry-run src",
    "jest --testEnvironment=x", "jest --resolver=./x", "jest --setupFilesAfterEnv x", "jest -u", "jest --filter=x",
    "jest --globalTeardown=x", "jest --watchPlugins x", "jest --testResultsProcessor=x", "jest --clearCache",
    "vitest init x", "vitest --api", "vitest --ui", "vitest -r x", "vitest --environment x",
    "flake8 --require-plugins x", "pylint --generate-rcfile", "ctest --test-dir x", "ctest --preset x",
    "cargo fmt -- --config-path x", "cargo clippy --fix", "cargo doc --open", "cargo test -- --logfile x",
    "go test -test.coverprofile=x", "go build -gcflags=x", "go build -mod=mod", "go test -fuzz=x",
    "dotnet build /p:X=y", "dotnet build --target:Evil", "dotnet build @x.rsp", "dotnet test --settings x",
    "ruff check --fix", "ruff check --add-noqa", "pip list --index-url x", "pip show --log=x y",
    "kubectl get secret -o yaml", "kubectl get pods,secrets", "kubectl get --raw x", "kubectl describe secret y",
    "helm list --kube-token x", "gh pr view 1 --web", "gh pr list --jq env", "gh pr view -w",
    "systemctl status -H evil", "apt list -o Dir::X=y", "apt show --option=x", "uv pip list --python x",
    "git commit --no-verify -m x", "git commit -nm x", "git blame --contents x a", "git grep --no-index KEY",
    "git grep -f x", "rg --hidden KEY", "rg -uu KEY", "rg -z KEY", "rg --no-ignore KEY", "rg -. KEY",
    # out of the folder
    "pytest ../other", "pytest /etc", "pytest ~/x", "pytest sub/../../x", "jest --roots=../x", "jest --projects /x",
    "jest --coverageDirectory=/x", "vitest --dir ../x", "go fmt ../x", "ruff format /etc", "terraform fmt ../x",
    "poetry show -C ../x", "conda list -p /x", "pytest --cov-report=html:/x", "dotnet test --results-directory ../x",
]  # fmt: skip
WITHIN = [
    "pytest -q tests/a.py::test_x -k foo", "pytest -x --lf --tb=short -v --maxfail=1", "pytest --cov=src",
    "pytest --cov-report=term-missing", "pytest --durations=10 -n auto", "pytest --collect-only -q", "pytest -ra -s",
    "pytest --ignore=tests/slow", "pytest -m 'not slow'",
    "mypy src --strict", "mypy --show-error-codes src", "pyright src", "tsc --noEmit", "tsc --noEmit --pretty --watch",
    "eslint src --ext .ts,.tsx --max-warnings 0", "jest src/a.test.ts -t name --coverage --silent",
    "jest --runInBand --testPathPattern=foo --detectOpenHandles", "vitest run src/a.test.ts", "ctest -V -j4",
    "flake8 src --max-line-length 100", "pylint src --disable=C0114", "shellcheck a.sh", "ruff check src --select E",
    "ruff format --check .", "ruff format --diff src", "cargo test foo -- --nocapture", "cargo build --release",
    "cargo clippy --all-targets --all-features", "cargo check --workspace", "cargo test --lib -p core",
    "go test ./... -run TestX -v -race -count=1", "go build ./...", "go vet ./...", "go test -cover -timeout 30s ./pkg",
    "dotnet test --filter X -c Release --no-build", "dotnet build -c Release -v n", "npm test -- --watch=false",
    "npm run build -- --out ../x", "npm ls @scope/x", "yarn build", "pip list --format=json", "pip show requests",
    "uv pip list", "docker ps -a", "kubectl get pods -n x -o wide", "helm list -A", "gh pr list --limit 5",
    "systemctl status nginx --no-pager", "brew list", "git commit -m 'fix: a'", "git commit -am x", "git log -5 --stat",
    "git blame -L 1,5 a", "git grep -n foo", "rg -n foo src", "rg -l foo -g '*.py'", "cat ../x", "ls -la /tmp",
]  # fmt: skip


def _rule_for_the_beginning(command: str) -> list[CommandPattern]:
    """The widest rule that "all of this kind" proposes for a command that begins like this one."""
    words = command.split()
    shorter = (" ".join(words[:length]) for length in (1, 2, 3))
    proposed = [pattern for text in shorter if (pattern := pattern_for(text)) is not None and pattern.endswith(":*")]
    return [parsed for pattern in proposed if (parsed := CommandPattern.parse(pattern)) is not None]


@pytest.mark.parametrize("command", BEYOND)
def test_a_prefix_covers_no_option_that_means_more_than_its_words(command: str) -> None:  # C45
    patterns = _rule_for_the_beginning(command)
    assert patterns, "there is a prefix that might have covered it"
    assert not is_allowed_by(patterns, command)
    exact = CommandPattern.parse(command)
    assert exact is not None
    assert is_allowed_by([exact], command), "word for word it is covered"


@pytest.mark.parametrize("command", WITHIN)
def test_a_prefix_covers_what_people_add_to_it_every_day(command: str) -> None:
    patterns = _rule_for_the_beginning(command)
    assert patterns
    assert is_allowed_by(patterns, command)
