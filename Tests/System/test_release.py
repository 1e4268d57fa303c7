"""scripts/release in a clone: what it refuses, and what is committed, tagged and written. The package is
tried by scripts/package --try; in the clone its script only says that it was called."""

import os
import re
import subprocess

import pytest
from conftest import ROOT

NOW = {
    "GIT_AUTHOR_NAME": "a",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "a",
    "GIT_COMMITTER_EMAIL": "a@example.org",
}


class Clone:
    def __init__(self, folder):
        self.folder = folder
        folder.mkdir()
        # As it stands here, whether that is committed or not.
        files = subprocess.run(
            [
                "git",
                "ls-files",
                "-co",
                "--exclude-standard",
                "scripts",
                "docs/CHANGELOG.md",
                "Sources/Remote",
            ],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        ).stdout.split("\n")
        for name in filter(lambda name: name and os.path.exists(os.path.join(ROOT, name)), files):
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(open(os.path.join(ROOT, name), "rb").read())
            target.chmod(os.stat(os.path.join(ROOT, name)).st_mode)
        (folder / "scripts/package").write_text('#!/bin/sh\necho "package in $1"\n')
        (folder / ".gitignore").write_text(".build/\n")
        self.git("init", "-q")
        self.commit("all")

    def git(self, *words):
        return subprocess.run(
            ["git", *words], capture_output=True, text=True, check=True, cwd=self.folder, env=os.environ | NOW
        ).stdout

    def commit(self, why):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", why)

    def release(self, *words, code=0):
        done = subprocess.run(
            ["scripts/release", *words],
            capture_output=True,
            text=True,
            cwd=self.folder,
            env=os.environ | NOW,
            timeout=60,
        )
        assert done.returncode == code, (words, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def text(self, name):
        return (self.folder / name).read_text()


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path / "clone")


def test_a_release_is_tagged_and_has_its_notes(clone):
    notes = clone.release("--notes", "Unreleased")
    assert notes.startswith("- ") and notes == notes.strip() + "\n"
    said = clone.release("7.1.0")
    assert "package in .build" in said and "v7.1.0 is tagged" in said
    assert clone.text(".build/notes-7.1.0.md") == notes == clone.release("--notes", "7.1.0")
    changes = clone.text("docs/CHANGELOG.md")
    assert re.search(r"^## Unreleased\n\n## 7\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- ", changes, re.M)
    assert 'programVersion = "7.1.0"' in clone.text("Sources/Remote/Vocabulary/Command.swift")
    assert clone.git("cat-file", "-t", "v7.1.0") == "tag\n"
    assert clone.git("rev-parse", "v7.1.0^{}") == clone.git("rev-parse", "HEAD")
    assert clone.git("status", "--porcelain") == ""
    # The next one needs changes of its own, which are no others'.
    assert "no change" in clone.release("7.2.0", code=1)
    path = clone.folder / "docs/CHANGELOG.md"
    path.write_text(path.read_text().replace("## Unreleased\n", "## Unreleased\n\n- One more.\n"))
    clone.commit("more")
    clone.release("7.2.0", "out")
    assert clone.text("out/notes-7.2.0.md") == "- One more.\n" and clone.release("--notes", "7.1.0") == notes


def test_what_cannot_be_released_is_refused_and_changes_nothing(clone):
    clone.git("tag", "v7.0.0")
    before = clone.git("log", "--format=%H"), clone.git("tag")
    for words, reason in [
        (("7.1",), "no version"),
        (("v7.1.0",), "no version"),
        (("0.0.1",), "comes before"),
        (("7.0.0",), "is there already"),
    ]:
        assert reason in clone.release(*words, code=1)
    assert "usage" in clone.release(code=2) and "says nothing of 9.9.9" in clone.release(
        "--notes", "9.9.9", code=1
    )
    (clone.folder / "docs/CHANGELOG.md").write_text("## Unreleased\n\n- x\n")
    assert "not committed" in clone.release("7.1.0", code=1)
    assert before == (clone.git("log", "--format=%H"), clone.git("tag"))
