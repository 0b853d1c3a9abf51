"""Where Swift source can be changed by one token, and what the changed source looks like."""

import collections
import dataclasses
import re

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OTHERS = {"&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+="}
INFIX = COMPARISONS | OTHERS

# swift-format puts spaces around every binary operator, but not around the brackets of generic types.
TOKENS = re.compile(
    r"""(?<=\s)(?P<infix><=|>=|==|!=|<|>|&&|\|\||\+=|-=|\+|-)(?=\s)
    |(?<=[\s(\[])(?P<minus>-)(?=[\w(])
    |(?<![\w$])(?P<number>\d[\d_]*(?:\.\d[\d_]*)?(?:e-?\d+)?)(?!\w)
    |\b(?P<bool>true|false)\b""", re.VERBOSE)
# Text that only programmers or people read.
SPOKEN = re.compile(r"\b(?:assert|precondition|assertionFailure|preconditionFailure|fatalError)\s*(?=\()"
                    r"|\bvar (?:description|debugDescription)\b[^{\n]*(?=\{)")
TEXTS = re.compile(r'//[^\n]*|/\*.*?\*/|(?P<raw>#*)""".*?"""(?P=raw)|"(?:\\.|[^"\\\n])*"', re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Site:
    """One token, and its replacement in the mutant."""
    path: str
    offset: int
    # Starts at 1.
    line: int
    source: str
    # How many such tokens are before it on its line, and on identical lines.
    ordinal: int
    kind: str
    old: str
    new: str

    @property
    def key(self):
        """A key that stays the same when other lines change."""
        return f"{self.path} | {self.source} | {self.old} → {self.new}" + (f" #{self.ordinal + 1}" if self.ordinal else "")


def blanked(text):
    """The text with comments, strings and messages blanked, character for character."""
    def blank(match):
        # Keep a quote, so a string is not a space.
        return "".join("\n" if character == "\n" else '"' for character in match.group()) \
            if match.group()[0] in '"#' else re.sub(r"[^\n]", " ", match.group())

    text = blank_interpolated(text, blank)
    for match in list(SPOKEN.finditer(text)):
        opening = text[match.end()]
        end, depth = match.end(), 0
        while end < len(text):
            depth += {opening: 1, {"(": ")", "{": "}"}[opening]: -1}.get(text[end], 0)
            end += 1
            if depth == 0:
                break
        text = text[:match.end()] + re.sub(r"[^\n]", " ", text[match.end():end]) + text[end:]
    return text


def blank_interpolated(text, blank):
    """Blanks comments and strings; a string can contain another one within `\\(...)`."""
    parts, position = [], 0
    while match := re.compile(r'//|/\*|"""|"').search(text, position):
        parts.append(text[position:match.start()])
        end = end_of_text(text, match.start(), match.group())
        parts.append(blank(re.compile(r".*", re.DOTALL).fullmatch(text, match.start(), end)))
        position = end
    return "".join(parts) + text[position:]


def end_of_text(text, start, opening):
    if opening == "//":
        return text.find("\n", start) if "\n" in text[start:] else len(text)
    if opening == "/*":
        return text.index("*/", start) + 2
    position = start + len(opening)
    while not text.startswith(opening, position):
        if text.startswith("\\(", position):
            position, depth = position + 2, 1
            while depth:
                if text[position] == '"':
                    position = end_of_text(text, position, '"""' if text.startswith('"""', position) else '"')
                    continue
                depth += {"(": 1, ")": -1}.get(text[position], 0)
                position += 1
        else:
            position += 2 if text[position] == "\\" else 1
    return position + len(opening)


def sites(path, text):
    """All tokens that can be changed, in order."""
    code = blanked(text)
    lines = text.splitlines()
    found, before = [], collections.Counter()
    for match in TOKENS.finditer(code):
        kind, old = match.lastgroup, match.group()
        start = code.rfind("\n", 0, match.start()) + 1
        head = code[start:match.start()]
        if is_declaration(kind, head):
            continue
        line = code.count("\n", 0, match.start()) + 1
        source = lines[line - 1].strip()
        ordinal = before[source, old]
        before[source, old] += 1
        found.append(Site(path, match.start(), line, source, ordinal, kind, old, replacement(kind, old)))
    return found


def is_declaration(kind, head):
    """Whether the token behind `head` is part of a type, a name or a pattern, rather than of an expression."""
    if kind == "infix":
        return bool(re.search(r"\b(func|operator)\s$", head)
                    or re.search(r"^\s*(?:[a-z(]+\)? )*(?:extension|func|init|struct|enum|class|protocol)\b.*\bwhere\b", head)
                    or re.search(r"^\s*\)?\s*(?:->.*)?\bwhere [\w.]+ $", head) and "for " not in head)
    # A tuple member; an attribute; a compiler condition.
    return bool(kind == "number" and re.search(r"(?<![.])\.$", head) or re.match(r"\s*[@#]\w", head) and kind != "infix")


def replacement(kind, old):
    """The nearest other token; for numbers the next one."""
    if kind == "infix":
        return INFIX[old]
    if kind == "minus":
        return ""
    if kind == "bool":
        return "false" if old == "true" else "true"
    plain = old.replace("_", "")
    if re.fullmatch(r"\d+", plain):
        return str(int(plain) + 1)
    return f"{float(plain) * 1.25:.12g}" if float(plain) else "1.0"


def operator(site, number):
    """An operator only for this site, so precedence and types are inferred as before."""
    return site.old + chr(0x2200 + number // 256) + chr(0x2200 + number % 256)


def schema(text, numbered):
    """The source with all its mutants, chosen by number at run time; line for line as before.

    - numbered: (number, site) of this file.
    """
    declared = []
    for number, site in sorted(numbered, key=lambda pair: -pair[1].offset):
        end = site.offset + len(site.old)
        if site.kind in ("number", "bool"):
            changed = f"mutant({number}, {site.old}, {site.new})"
        else:
            changed = operator(site, number)
            declared += declarations(site, changed, number)
        text = text[:site.offset] + changed + text[end:]
    return text.rstrip("\n") + "\npublic import Mutants\n" + "\n".join(declared) + "\n"


def declarations(site, name, number):
    """Declares an operator that does the same as `site.old`, or as `site.new` in its mutant."""
    old, new, chosen = site.old, site.new, f"isMutant({number})"
    if site.kind == "minus":
        yield f"prefix operator {name}"
        yield f"private prefix func {name} <T: SignedNumeric>(a: T) -> T {{ {chosen} ? a : -a }}"
        return
    precedence = ("ComparisonPrecedence" if old in COMPARISONS else
                  {"&&": "LogicalConjunctionPrecedence", "||": "LogicalDisjunctionPrecedence"}.get(old)
                  or ("AssignmentPrecedence" if "=" in old else "AdditionPrecedence"))
    yield f"infix operator {name} : {precedence}"

    def function(generic, left, right, result="Bool", changed=f"a {new} b", same=f"a {old} b", effect=""):
        return f"private func {name} {generic}(a: {left}, b: {right}) {effect}-> {result} {{ {chosen} ? {changed} : {same} }}"

    if old in ("==", "!=", "<", "<=", ">", ">="):
        needed = "Equatable" if old in ("==", "!=") else "Comparable"
        yield function(f"<T: {needed}>", "T", "T")
        for types in ("AB", "ABC"):
            values = f"({', '.join(types)})"
            yield function(f"<{', '.join(f'{type}: {needed}' for type in types)}>", values, values)
    if old in ("==", "!="):
        yield function("<T>", "T?", "_OptionalNilComparisonType")
    if old in ("&&", "||"):
        yield function("", "Bool", "@autoclosure () throws -> Bool", effect="rethrows ",
                       changed=f"try a {new} b()", same=f"try a {old} b()")
    if old in ("+", "-"):
        yield function("<T: AdditiveArithmetic>", "T", "T", "T")
        yield function("", "Day", "Int", "Day")
        yield function("", "Timestamp", "Duration", "Timestamp")
    if old == "-":
        yield function("", "Timestamp", "Timestamp", "Duration", changed="b - a")
    if old in ("+=", "-="):
        yield (f"private func {name} <T: AdditiveArithmetic>(a: inout T, b: T) "
               f"{{ if {chosen} {{ a {new} b }} else {{ a {old} b }} }}")
