"""scripts/install: programs, manual pages, completions, desktop entry, systemd unit; and all of it gone
again."""

import configparser
import os
import subprocess

import pytest
from conftest import ROOT, Terminal, wait_until

SCRIPT = os.path.join(ROOT, "scripts/install")


@pytest.fixture(scope="module")
def prefix(tmp_path_factory):
    prefix = tmp_path_factory.mktemp("prefix with a blank")
    subprocess.run([SCRIPT, prefix], check=True, capture_output=True)
    return prefix


def test_what_is_installed_runs_and_can_be_read(prefix):
    for program in ("jmix", "jmixctl"):
        assert (
            subprocess.run([prefix / "bin" / program, "--version"], capture_output=True, text=True)
            .stdout.strip()
            .endswith("0.1.0")
        )
        page = prefix / f"share/man/man1/{program}.1"
        shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True)
        assert shown.returncode == 0 and shown.stderr == "" and "EXIT STATUS" in page.read_text()
    assert "ramp 2 0.5 0.8 2s 4s" in (prefix / "share/man/man1/jmixctl.1").read_text()


def test_the_desktop_entry_and_the_unit_are_valid(prefix):
    entry = prefix / "share/applications/jmix.desktop"
    assert subprocess.run(["desktop-file-validate", entry], capture_output=True, text=True).stdout == ""
    parsed = configparser.ConfigParser(interpolation=None)
    parsed.read(entry)
    assert parsed["Desktop Entry"]["X-NSM-Capable"] == "true"
    unit = configparser.ConfigParser(interpolation=None)
    unit.optionxform = str
    unit.read(prefix / "share/systemd/user/jmix.service")
    assert unit["Service"]["Type"] == "notify" and unit["Service"]["ExecStart"].startswith(
        f'"{prefix}/bin/jmix" run'
    )


def test_bash_completes(prefix, mixer):
    script = """
        PATH="$1/bin:$PATH"; source "$1/share/bash-completion/completions/jmixctl"
        COMP_WORDS=(jmixctl --url "$2" volume mu); COMP_CWORD=4; _jmixctl; echo "${COMPREPLY[@]}"
        COMP_WORDS=(jmixctl ra); COMP_CWORD=1; _jmixctl; echo "${COMPREPLY[@]}"
        COMP_WORDS=(jmixctl --url "$2" pan 'two\\ w'); COMP_CWORD=4; _jmixctl; echo "${COMPREPLY[@]}"
        source "$1/share/bash-completion/completions/jmix"; complete -p jmix jmixctl
    """
    mixer.ctl("name", 3, "two words")
    done = subprocess.run(["bash", "-c", script, "bash", prefix, mixer.url], capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert lines[:3] == ["music", "ramp", "two\\ words"] and len(lines) == 5, done.stderr


def test_fish_completes(prefix, mixer, tmp_path):
    script = (
        f"set -gx PATH '{prefix}/bin' $PATH; source "
        f"'{prefix}/share/fish/vendor_completions.d/jmixctl.fish'; complete -C 'jmixctl --url {mixer.url} "
        f"volume mu'; complete -C 'jmixctl ra'"
    )
    done = subprocess.run(
        ["fish", "--no-config", "-c", script],
        capture_output=True,
        text=True,
        env=dict(os.environ, HOME=str(tmp_path)),
    )
    assert done.stdout.split() == ["music", "ramp"], done.stderr


def test_zsh_completes(prefix, mixer, tmp_path):
    terminal = Terminal(["zsh", "-f"], env={"HOME": tmp_path, "JMIX_URL": mixer.url})
    try:
        terminal.line(
            f"PS1='> '; path=('{prefix}/bin' $path); fpath=('{prefix}/share/zsh/site-functions' $fpath); "
            f"autoload -U compinit; compinit -u -D; echo re''ady"
        )
        terminal.wait_for("ready")
        terminal.type("jmixctl volume mu")
        terminal.key("Tab")
        terminal.wait_for("> jmixctl volume music")
        terminal.key("C-u")
        terminal.type("jmixctl ra")
        terminal.key("Tab")
        terminal.wait_for("> jmixctl ramp")
    finally:
        terminal.end()


def test_it_is_removed_without_a_trace_and_nothing_else(tmp_path):
    prefix = tmp_path / "prefix"
    (prefix / "share/man/man1").mkdir(parents=True)
    (prefix / "share/man/man1/other.1").write_text("mine")
    assert subprocess.run([SCRIPT, "--remove", prefix], capture_output=True).returncode == 1
    for _ in range(2):
        subprocess.run([SCRIPT, prefix], check=True, capture_output=True)
    subprocess.run([SCRIPT, "--remove", prefix], check=True, capture_output=True)
    assert [str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()] == [
        "share/man/man1/other.1"
    ]
    assert not (prefix / "bin").exists()
    for words in ([], ["-x"], ["a", "b"]):
        assert subprocess.run([SCRIPT, *words], capture_output=True).returncode == 2
