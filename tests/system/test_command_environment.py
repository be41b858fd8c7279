from paicli.system.command_environment import command_environment

SECRET = "sk-canary-1-long-enough"


def test_secrets_go_and_the_users_variables_stay() -> None:  # C42
    base = {
        "PATH": "/usr/bin",
        "HOME": "/home/me",
        "LANG": "de_DE.UTF-8",
        "VIRTUAL_ENV": "/venv",
        "MY_OWN": "1",
        "OPENAI_API_KEY": "sk-canary-2",
        "PAICLI_API_KEY": "other",
        "PAICLI_ZHIPU_KEY": "other",
        "PAICLI_HOME": "/home/me/.paicli",
        "COPY_OF_KEY": SECRET,
        "CONFIG": f'{{"key": "{SECRET}"}}',
        "GITHUB_TOKEN": "users-own-token",
    }
    made = command_environment(base, secret_names={"OPENAI_API_KEY"}, secret_values={SECRET})
    assert {name: value for name, value in made.items() if name in base} == {
        "PATH": "/usr/bin",
        "HOME": "/home/me",
        "LANG": "de_DE.UTF-8",
        "VIRTUAL_ENV": "/venv",
        "MY_OWN": "1",
        "PAICLI_HOME": "/home/me/.paicli",
        "GITHUB_TOKEN": "users-own-token",
    }


def test_a_short_secret_does_not_take_ordinary_variables_away() -> None:
    base = {"PATH": "/opt/ollama/bin", "SHLVL": "1"}
    made = command_environment(base, secret_values={"ollama", "1", ""})
    assert {name: made.get(name) for name in base} == base


def test_pagers_editors_and_prompts_are_switched_off() -> None:  # R5
    base = {"PAGER": "less", "EDITOR": "vim", "TERM": "xterm-256color", "FORCE_COLOR": "1", "SSH_ASKPASS": "/bin/ask"}
    made = command_environment(base)
    wanted = {
        "PAGER": "cat",
        "GIT_PAGER": "cat",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "false",
        "EDITOR": "false",
        "TERM": "dumb",
        "NO_COLOR": "1",
    }
    assert {name: made.get(name) for name in wanted} == wanted
    assert {"FORCE_COLOR", "SSH_ASKPASS"}.isdisjoint(made)


def test_the_given_environment_is_left_as_it_is() -> None:
    base = {"PAGER": "less"}
    command_environment(base)
    assert base == {"PAGER": "less"}
