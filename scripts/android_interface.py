"""Compares stand-ins for Android's classes, compiled, with the SDK: for scripts/test-android."""
import ast
import pathlib
import re
import subprocess

from trial import install


class AndroidInterface:
    """Android's classes as Python declarations, which a package from PyPI derives from the SDK of API 36."""

    def __init__(self, folder):
        install(folder, "--no-deps", "chaquopy-stubs-android==36.20260406")
        self.folder, self.packages = folder, {}

    def class_body(self, name):
        """The declarations of a class, such as android.provider.Settings$Global, and of those that it extends."""
        package, _, nested = name.rpartition(".")
        if package not in self.packages:
            path = pathlib.Path(f"{self.folder}/{package.replace('.', '/').replace('android', 'android-stubs', 1)}/__init__.pyi")
            self.packages[package] = ast.parse(path.read_text()).body
        body, bases = self.packages[package], []
        for part in nested.split("$"):
            [declared] = [node for node in body if isinstance(node, ast.ClassDef) and node.name == part]
            body, bases = declared.body, [ast.unparse(base) for base in declared.bases]
        for base in bases:
            if base in ("android.content.Context", "android.content.ContextWrapper", "android.view.ContextThemeWrapper"):
                body = body + self.class_body(base)
        return body

    def has(self, owner, result, name, parameters):
        """Whether a class has a method of these types, or a field if `parameters` is None."""
        spelled = {"int[]": "JavaArrayJInt", "java.lang.String[]": "JavaArray", "boolean": "bool", "long": "int", "void": "None"}
        simple = lambda kind: spelled.get(kind, re.split(r"[.$]", kind.split("<")[0])[-1])
        other = {"String": "str", "Class": "Type"}  # how these declarations spell them
        fits = lambda kind, declared: not {simple(kind), other.get(simple(kind))}.isdisjoint(re.findall(r"\w+", declared))
        for node in self.class_body(owner):
            if parameters is None and isinstance(node, ast.AnnAssign) and node.target.id == name:
                return fits(result, re.sub(r"typing.ClassVar\[(.*)\]", r"\1", ast.unparse(node.annotation)))
            if parameters is not None and isinstance(node, ast.FunctionDef) and node.name == name:
                declared = [ast.unparse(argument.annotation) for argument in node.args.posonlyargs + node.args.args if argument.annotation]
                if len(declared) == len(parameters) and all(map(fits, parameters, declared)) and fits(result, ast.unparse(node.returns)):
                    return True
        return False


def differences(android, classes):
    """What the stand-ins in a folder of classes declare and Android does not, and how many declarations were compared."""
    # The trial's own: they make a ComponentName without a Context, and keep the callbacks for the trial to call.
    own = {("android.content.ComponentName", "__init__"), ("android.app.Application", "callbacks")}
    names = [str(path.relative_to(classes))[:-6].replace("/", ".") for path in pathlib.Path(classes, "android").rglob("*.class")]
    printed = subprocess.run(["javap", "-protected", "-cp", classes, *names], check=True, capture_output=True, text=True).stdout
    owner, count, missing = None, 0, []
    for line in printed.splitlines():
        if found := re.match(r".*\b(?:class|interface) (android[\w.$]+)", line):
            owner = found[1]
        elif found := re.match(r"  (?:(?:public|protected|static|final|abstract) )*(?:([\w.$<>\[\]]+) )?([\w.$]+)(?:\((.*)\).*)?;", line):
            result, name, parameters = found[1] or "void", found[2], found[3]
            name = "__init__" if name == owner else name
            types = None if parameters is None else [kind for kind in parameters.split(", ") if kind]
            if name == "__init__" and not types or (owner, name) in own:
                continue
            count += 1
            if not android.has(owner, result, name, types):
                missing.append(line.strip())
    return missing, count
