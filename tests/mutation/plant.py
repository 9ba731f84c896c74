"""Finds places for deliberate faults in C++ files, by the compiler's own syntax tree.

python3 plant.py <compile flags as JSON> <file>... prints a JSON list: for each place its file, line, kind, the bytes
that are replaced, and the faulty expression that stands beside the right one. run.mjs chooses among them.
"""

import json
import re
import sys

from clang.cindex import CursorKind, Index

SWAPPED = {
    "<": ("off by one", "<="),
    "<=": ("off by one", "<"),
    ">": ("off by one", ">="),
    ">=": ("off by one", ">"),
    "==": ("negated", "!="),
    "!=": ("negated", "=="),
    "+": ("wrong sign", "-"),
    "-": ("wrong sign", "+"),
    "&&": ("wrong connective", "||"),
    "||": ("wrong connective", "&&"),
    "*": ("wrong operation", "+"),
    "/": ("wrong operation", "*"),
    "%": ("wrong operation", "/"),
    "<<": ("wrong operation", ">>"),
    ">>": ("wrong operation", "<<"),
}
FUNCTIONS = {CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE, CursorKind.CONSTRUCTOR}
MACRO = re.compile(r"\b(BROADLOOM_\w+|assert|EXPECT_\w+|static_assert|constexpr|sizeof)\b")
CHECK = re.compile(r"^( +)(BROADLOOM_CHECK\([^;]*\);)$", re.M)
EXTREMES = re.compile(r"std::(min|max)(<[^(]*>)?\(")


class File:
    def __init__(self, path, flags):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()
        self.unit = Index.create().parse(path, args=flags)
        self.found = []

    def text(self, start, end):
        return self.bytes[start:end].decode()

    def extent(self, cursor):
        extent = cursor.extent
        if extent.start.file is None or extent.start.file.name != self.path:
            return None
        return extent.start.offset, extent.end.offset

    def add(self, kind, start, end, faulty, is_statement=False):
        original = self.text(start, end)
        if not original.strip() or (not is_statement and MACRO.search(original)):
            return
        line = self.bytes.count(b"\n", 0, start) + 1
        self.found.append(
            {
                "file": self.path,
                "line": line,
                "kind": kind,
                "start": start,
                "end": end,
                "original": original,
                "faulty": faulty,
                "isStatement": is_statement,
            }
        )

    def binary(self, cursor):
        parts = list(cursor.get_children())
        whole = self.extent(cursor)
        if whole is None or len(parts) != 2:
            return
        left, right = (self.extent(part) for part in parts)
        if left is None or right is None or not whole[0] == left[0] < left[1] <= right[0] < right[1] == whole[1]:
            return
        sign = self.text(left[1], right[0]).strip()
        if sign not in SWAPPED:
            return
        kind, other = SWAPPED[sign]
        first, second = self.text(*left), self.text(*right)
        self.add(kind, whole[0], whole[1], f"({first}) {other} ({second})")
        if sign in ("-", "/", "<"):
            self.add("swapped operands", whole[0], whole[1], f"({second}) {sign} ({first})")

    def condition(self, cursor):
        parts = list(cursor.get_children())
        if len(parts) not in (2, 3) or not parts[0].kind.is_expression():
            return
        place = self.extent(parts[0])
        then = self.extent(parts[1])
        if place is None or then is None:
            return
        before = self.text(self.extent(cursor)[0], place[0])
        if not re.fullmatch(r"if \(", before):
            return
        body = self.text(*then)
        kind = "dropped check" if re.search(r"\b(fail|impossible|Failure)\(", body) else "never" if "return" in body else None
        if kind:
            self.add(kind, place[0], place[1], "false")

    def call(self, cursor):
        place = self.extent(cursor)
        if place is None:
            return
        text = self.text(*place)
        match = EXTREMES.match(text)
        if match:
            other = "max" if match[1] == "min" else "min"
            self.add("wrong extreme", place[0], place[1], f"std::{other}{text[8:]}")

    def is_constant(self, cursor, parent):
        """Whether the compiler computes it, so that no fault in it is ever active."""
        place = self.extent(cursor)
        if place is None:
            return False
        if cursor.kind == CursorKind.VAR_DECL:
            return re.match(r"(static )?constexpr\b", self.text(*place)) is not None
        is_size = self.bytes[place[0] - 1 : place[0]] == b"[" and self.bytes[place[1] : place[1] + 1] == b"]"
        return is_size and parent.kind == CursorKind.VAR_DECL

    def walk(self, cursor, is_inside):
        for child in cursor.get_children():
            place = child.location.file
            if place is not None and place.name != self.path:
                continue
            if self.is_constant(child, cursor):
                continue
            inside = is_inside or child.kind in FUNCTIONS
            if inside:
                if child.kind == CursorKind.BINARY_OPERATOR:
                    self.binary(child)
                elif child.kind == CursorKind.IF_STMT:
                    self.condition(child)
                elif child.kind == CursorKind.CALL_EXPR:
                    self.call(child)
            self.walk(child, inside)

    def checks(self):
        for match in CHECK.finditer(self.bytes.decode()):
            start = len(self.bytes.decode()[: match.start(2)].encode())
            self.add("dropped check", start, start + len(match[2].encode()), "", True)


def main():
    flags = json.loads(sys.argv[1])
    places = []
    for path in sys.argv[2:]:
        file = File(path, flags)
        errors = [one for one in file.unit.diagnostics if one.severity >= 3]
        if errors:
            raise SystemExit(f"{path}: {errors[0].spelling}")
        file.walk(file.unit.cursor, False)
        file.checks()
        places += file.found
    json.dump(places, sys.stdout)


main()
