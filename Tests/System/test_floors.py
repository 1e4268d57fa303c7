"""The house as docs/architecture.md draws it, as Package.swift builds it, and as the sources use it."""

import os
import re

import pytest
from conftest import ROOT


def read(*path):
    with open(os.path.join(ROOT, *path)) as file:
        return file.read()


def floors():
    """The targets of each floor of Package.swift, 0 for the ground, with what they depend on."""
    text = read("Package.swift").split("// What docs/examples shows")[0]
    parts = re.split(r"// (Ground|Floor (\d)):", text)
    return {
        int(number or 0): {
            re.search(r'name: "(\w+)"', target)[1]: set(
                re.findall(r'"(\w+)"', (re.search(r"dependencies: \[(.*?)\]", target, re.S) or ["", ""])[1])
            )
            for target in re.split(r"\.(?:executableTarget|systemLibrary|target)\(", body)[1:]
        }
        for _, number, body in zip(parts[1::3], parts[2::3], parts[3::3])
    }


FLOORS = floors()
FLOOR = {name: number for number, targets in FLOORS.items() for name in targets}


def test_a_room_uses_none_above_it():
    assert sorted(FLOORS) == [0, 1, 2, 3, 4, 5] and len(FLOOR) > 40
    for number, targets in FLOORS.items():
        for name, used in targets.items():
            assert [other for other in used if FLOOR.get(other, 0) > number] == [], name


def test_the_drawing_has_each_room_on_its_floor():
    drawing = re.findall(
        r"^    (?:floor (\d)|ground) (.*?)(?=^    floor|^    ground|^$)",
        read("docs/architecture.md"),
        re.M | re.S,
    )
    drawn = {int(number or 0): text for number, text in drawing}
    missing = [
        (name, number) for name, number in FLOOR.items() if not re.search(rf"\b{name}\b", drawn[number])
    ]
    assert missing == []


@pytest.mark.parametrize(
    "name", [name for name in FLOOR if os.path.isdir(os.path.join(ROOT, "Sources", name))]
)
def test_a_room_declares_what_it_imports(name):
    (declared,) = (targets[name] for targets in FLOORS.values() if name in targets)
    folder = os.path.join(ROOT, "Sources", name)
    for path, _, files in os.walk(folder):
        for file in files:
            if file.endswith(".swift"):
                imports = set(re.findall(r"^(?:@_exported )?import (\w+)", read(path, file), re.M))
                assert imports & set(FLOOR) <= declared, file


def test_the_console_knows_neither_jack_nor_an_edge():
    folder = os.path.join(ROOT, "Sources/Console")
    for file in os.listdir(folder):
        imports = set(re.findall(r"^import (\w+)", read(folder, file), re.M))
        assert not imports & {"JackDriver", "OSC", "Web", "Dialects", "TerminalPicture", "MixerControl"}, file
