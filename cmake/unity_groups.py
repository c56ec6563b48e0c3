"""Which source files can be compiled together as one (LAMELLA_UNITY, see build_time.cmake).

usage: unity_groups.py SIZE ROOT… <LIST

LIST has a line `DIRECTORY|TARGET|FILE` for each source. Prints `DIRECTORY|FILE|GROUP` for those that are compiled with
others, SIZE at most in a group. ROOT…: the folders that #include starts from.

A name that a file keeps to itself (unnamed namespaces, static, using) may not be used in another file of its group, nor
in a header that such a file includes. So the files mean the same together as each does alone. Files that define macros
are compiled alone. This reads C++ line by line and relies on clang-format: what starts in column 0 is declared at the
level of a namespace, and `Type* f(` is a declaration where `a * f(` is a call.
"""
import os
import re
import sys
from functools import lru_cache

NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|\bR"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.S)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
MACRO = re.compile(r'^\s*#\s*define\b', re.M)
NAMESPACE = re.compile(r'^namespace ([\w:]+) {', re.M)
# Without members and what is in another scope: x.name, x->name, std::name, Class::name.
WORD = re.compile(r'(?<![\w.])(?<!->)(?<!std::)(?:(\w+)::)*([A-Za-z_]\w*)')
CALL = re.compile(r'(?:\b(\w+)[*&>]* )?(?<![\w.])(?<!->)(?<!::)([a-z_]\w*)(?:<(?:[^<>;]|<[^<>;]*>)*>)?\(')
BEFORE_CALL = {None, 'return', 'else', 'case', 'throw', 'co_return', 'co_yield', 'and', 'or', 'not', 'do'}
TYPE = re.compile(r'(?:struct|class|union|enum(?: class)?) (\w+)')
DECLARED = re.compile(r'(\w+) ?([({=;\[])')
ATTRIBUTES = re.compile(r'^(?:\[\[[^\]]*\]\]\s*)+')
ARGUMENTS = re.compile(r'<(?:[^<>]|<[^<>]*>)*>')  # of templates
CONSTANT = re.compile(r'\b(k[A-Z]\w*) ?[({=\[]')  # several may be declared in one line
USING = re.compile(r'(?:using (?:namespace )?[\w:]+|using \w+ = .*|namespace \w+ = .*);')
NOT_NAMES = {'static_assert', 'enum', 'return', 'operator', 'int', 'void', 'bool', 'auto', 'double', 'float', 'std'}
FUNCTION, OTHER = 'function', 'type or variable'


class Source:
    def __init__(self, path):
        text = code_of(path)
        self.own = own_names(text)
        self.scopes = {part for name in NAMESPACE.findall(text) for part in name.split('::')}
        self.alone = bool(MACRO.search(text))
        self.used = uses_in(path)
        self.used_with_headers = uses_with_headers(path)

    def disturbs(self, other):
        if self.own.get('using namespace') != other.own.get('using namespace'):
            return True
        for name, how in self.own.items():
            if name in other.own:
                if how != other.own[name] or not how.startswith(('using ', 'namespace ')):
                    return True
            elif how in (FUNCTION, OTHER):
                uses = [CALL if how == FUNCTION else '', *self.scopes]
                if any((qualifier, name) in other.used_with_headers for qualifier in uses):
                    return True
            elif ('', name) in other.used:
                return True
        return False


@lru_cache(maxsize=None)
def code_of(path):
    with open(path, encoding='utf-8') as file:
        text = file.read()
    return NOT_CODE.sub(lambda m: m.group() if INCLUDE.match(text, text.rfind('\n', 0, m.start()) + 1)
                        else '""' + '\n' * m.group().count('\n'), text)


def own_names(text):
    """Name -> FUNCTION, OTHER, or its `using` line: equal ones of these may meet."""
    names, unnamed = {}, 0
    for line in text.splitlines():
        line = ATTRIBUTES.sub('', line)
        if line.startswith('namespace {'):
            unnamed += 1
        elif unnamed and line.startswith('}  '):  # a namespace's end: its comment is gone, the two spaces are not
            unnamed -= 1
        elif USING.match(line):
            if line.startswith('using namespace'):
                names['using namespace'] = names.get('using namespace', '') + line
            else:
                names[re.findall(r'\w+', line.split('=')[0])[-1]] = line
        elif (unnamed and re.match(r'[A-Za-z_]', line)) or line.startswith('static '):
            if type_name := TYPE.match(line):
                names[type_name.group(1)] = OTHER
            elif found := DECLARED.search(ARGUMENTS.sub('', line)):
                is_function = found.group(2) == '(' and not CONSTANT.match(found.group(1) + '(')
                if not found.group(1).isupper():  # TEST, TEST_F …
                    names[found.group(1)] = FUNCTION if is_function else OTHER
            names.update((name, OTHER) for name in CONSTANT.findall(line))
            if line.startswith('enum ') and not line.startswith('enum class'):
                names.update((word, OTHER) for word in re.findall(r'\w+', line))
    for name in NOT_NAMES:
        names.pop(name, None)
    return names


@lru_cache(maxsize=None)
def uses_in(path):
    """(qualifier or '', name), and (CALL, name) of unqualified calls."""
    code = code_of(path)
    return set(WORD.findall(code)) | {(CALL, name) for word, name in CALL.findall(code) if (word or None) in BEFORE_CALL}


@lru_cache(maxsize=None)
def included(path):
    found = []
    for name in INCLUDE.findall(code_of(path)):
        for root in (os.path.dirname(path), *roots):
            header = os.path.normpath(os.path.join(root, name))
            if os.path.exists(header):
                found.append(header)
                break
    return found


def uses_with_headers(path):
    seen, todo = {path}, [path]
    while todo:
        todo += [header for header in included(todo.pop()) if header not in seen and not seen.add(header)]
    return set().union(*map(uses_in, seen))


def group(size, lines):
    groups, sources, taken = {}, {}, {}
    for line in lines:
        directory, target, file = line.rstrip('\n').split('|')
        if (directory, file) in taken:  # of two targets in one directory: the property is the file's
            continue
        if file not in sources:
            sources[file] = Source(file)
        source, mine = sources[file], groups.setdefault((directory, target), [])
        if source.alone:
            continue
        fitting = next((g for g in mine if len(g) < size and not any(
            source.disturbs(other) or other.disturbs(source) for other in map(sources.get, g))), None)
        if fitting is None:
            fitting = []
            mine.append(fitting)
        fitting.append(file)
        taken[directory, file] = target
    return groups


if __name__ == '__main__':
    roots = sys.argv[2:]
    for (directory, target), groups in group(int(sys.argv[1]), sys.stdin).items():
        for number, files in enumerate(groups):
            if len(files) > 1:
                for file in files:
                    print(f'{directory}|{file}|{target}_{number}')
