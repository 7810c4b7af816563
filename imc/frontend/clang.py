"""The clang that turns C into LLVM IR: where it is, how it is called, what its errors mean."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import stat
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

from imc.errors import SourceLoc, UserError
from imc.frontend import atomic_casts, odd_main
from imc.frontend.cache import NO_CACHE, Cache, fingerprint
from imc.frontend.flags import SortedFlags, sort_flags
from imc.frontend.system_headers import refuse_mixed, system_folders
from imc.interrupts import raising
from imc.records import record

SIZE_LIMIT_MB = 20
TIME_LIMIT_S = 600  # only ends what hangs: a first build with zig compiles a C library, too
LONGEST_MESSAGE = 300

# Clang runs none of its passes: what the checker sees is what the programmer wrote. -O1 is there
# because at -O0 clang leaves out the marks that say where the life of a variable begins and ends.
_FLAGS = (
    *("-S", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes"),
    *("-std=gnu11", "-fno-discard-value-names", "-fno-sanitize=all", "-fno-crash-diagnostics"),
    "-ffile-compilation-dir=.",  # the IR of a file is the same whatever the working directory
    *("-w", "-fno-caret-diagnostics", "-ferror-limit=100"),
    # What old code does and gcc long accepted.
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=int-conversion",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
)
# Asserts stay (a later -DNDEBUG of the user still removes them), and library functions stay calls.
_MACROS = ("-UNDEBUG", "-U_FORTIFY_SOURCE", "-U__OPTIMIZE__")
# When it was compiled is not what a program is.
_NO_CLOCK = (
    '-D__DATE__="Jan  1 1970"',
    '-D__TIME__="00:00:00"',
    '-D__TIMESTAMP__="Thu Jan  1 00:00:00 1970"',
)
_AS_GCC = f"-I{Path(__file__).parent / 'include' / 'gcc'}"  # headers that accept what gcc's do
_NOT_ATOMIC = "address argument to atomic operation must be a pointer to _Atomic type"
# Preprocessed text has no macros left to expand, not even those clang predefines.
_PREPROCESSED = ("-undef", "-include", str(Path(__file__).parent / "include" / "gcc_types.h"))

_FLAGS_HINT = "flags come after -- or from --compile-commands; --cc names another clang"
_CC_HINT = "--cc takes a clang; without it the one of the ziglang package is used"
_ERROR = re.compile(r"^(.+?):(\d+):(\d+): (?:fatal )?error: (.*)$", re.MULTILINE)
_PLACELESS_ERROR = re.compile(r"^(?:.*?: )?(?:fatal )?error: (.*)$", re.MULTILINE)


@record
class CompilerOptions:
    """What the user says about compiling; `cc` is a clang executable or the start of a command.

    `flags` are the user's own, for any C compiler; `build_flags` are those of a build system, with
    paths relative to `directory`. `extra` are ours, and not looked at.
    """

    cc: str | None = None
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    bits: int = 64
    flags: tuple[str, ...] = ()
    build_flags: tuple[str, ...] = ()
    directory: Path | None = None
    extra: tuple[str, ...] = ()

    def sorted_flags(self, system: Sequence[str] = ()) -> SortedFlags:
        """Flags by what they are for; raises UserError for what cannot be honoured.

        Folders of `system` that are named again keep their place.
        """
        before = sort_flags(self.build_flags, self.bits, self.directory, system)
        kept = sort_flags([f"-I{folder}" for folder in self.include], self.bits, None, system)
        macros = SortedFlags((), tuple(f"-D{macro}" for macro in self.define))
        return before.then(kept).then(macros).then(sort_flags(self.flags, self.bits, None, system))


@record
class Clang:
    """How to call clang; `library` is the folder of zig that has the headers, None without zig."""

    command: tuple[str, ...]
    library: Path | None

    def key(self) -> str:
        """As good as the version, which would take a run of the compiler to learn."""
        status = Path(self.command[0]).stat()
        return fingerprint(*self.command, str(status.st_mtime_ns), str(status.st_size))

    def target(self, bits: int) -> list[str]:
        flags = ["--target=x86_64-unknown-linux-gnu", f"-m{bits}"]
        if self.library is None:
            return flags
        libc = self.library / "libc" / "include"
        names = ["x86-linux-gnu", "generic-glibc", "x86-linux-any", "any-linux-any"]
        if bits == 64:
            names.insert(0, "x86_64-linux-gnu")  # older versions of zig have it
        # Zig's headers serve every glibc; from 2.38 on they would rename strtol and its like.
        flags += ["-D__GLIBC_MINOR__=31", "-nostdinc"]
        for folder in (self.library / "include", *(libc / name for name in names)):
            if folder.is_dir():  # searched after what -isystem names, as a compiler's own are
                flags += ["-Xclang", "-internal-isystem", "-Xclang", str(folder)]
        return flags

    def system(self, bits: int) -> tuple[str, ...]:
        """Folders of the system's headers; any other clang knows them itself."""
        return () if self.library is None else system_folders(bits)


def compile_to_ir(source: Path, options: CompilerOptions, cache: Cache) -> str:
    """The text of the LLVM IR of a .c, .i or .ll file."""
    content = _read(source)
    if source.suffix == ".ll":
        return content.decode("utf-8", "replace").replace("\r\n", "\n")
    compiler = find_compiler(options)
    system = compiler.system(options.bits)
    given = options.sorted_flags(system)
    flags = [*compiler.target(options.bits), *_FLAGS]
    if source.suffix == ".i":
        flags += [*_PREPROCESSED, *given.language]
    else:
        after = [word for folder in system for word in ("-idirafter", folder)]
        flags += [*_MACROS, *_NO_CLOCK, *after, *given.for_c]
    flags += options.extra
    surroundings = _what_decides_includes(source, (*given.folders, *system))
    key = fingerprint(compiler.key(), *flags, "", *surroundings, "", str(source), content)
    ir = cache.load(key)
    if ir is None:
        started = time.time_ns()
        ir, files = _compile(source, compiler, flags)
        refuse_mixed(files, system)
        cache.store(key, ir, files, since=started)
    return ir


def compiler_identity(options: CompilerOptions, cache: Cache = NO_CACHE) -> str:
    """The compiler's name and version, such as `clang 22.1.8 (zig 0.17.0)`."""
    compiler = find_compiler(options)
    key = fingerprint("identity", compiler.key())
    identity = cache.load(key)
    if identity is None:
        command = compiler.command
        answer = run_compiler([*command, "--version"])[1].decode("utf-8", "replace")
        version = re.search(r"clang version (\d[\d.]*)", answer)
        if version is None:
            raise UserError(f"{shlex.join(command)} is not clang", hint=_CC_HINT)
        identity = f"clang {version[1]}"
        if compiler.library is not None:
            identity += f" (zig {run_compiler([command[0], 'version'])[1].decode().strip()})"
        cache.store(key, identity)
    return identity


def _read(source: Path) -> bytes:
    """The bytes of the file, after a look at whether it can be a program at all."""
    try:
        status = source.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UserError(f"{source} is a directory", hint="give a .c, .i or .ll file")
        if not stat.S_ISREG(status.st_mode):
            raise UserError(f"{source} is not a regular file", hint="give a .c, .i or .ll file")
        if source.suffix not in (".c", ".i", ".ll"):
            raise UserError(
                f"{source} is not a kind of file that imc reads",
                hint="give C (.c), preprocessed C (.i) or LLVM IR (.ll)",
            )
        if status.st_size > SIZE_LIMIT_MB * 1_000_000:
            raise UserError(f"{source} is larger than the limit of {SIZE_LIMIT_MB} MB")
        content = source.read_bytes()
    except FileNotFoundError:
        raise UserError(f"{source} does not exist") from None
    except OSError as error:
        raise UserError(f"{source} cannot be read: {error.strerror}") from None
    if not content:
        raise UserError(f"{source} is empty", hint="give a program with a main function")
    if b"\0" in content[:8192]:
        raise UserError(f"{source} is not a text file", hint="the source has to be UTF-8 text")
    return content


def find_compiler(options: CompilerOptions) -> Clang:
    """The clang that the options, the environment or the ziglang package name."""
    asked = (options.cc or os.environ.get("IMC_CC", "")).strip()
    if not asked:
        package = find_spec("ziglang")
        folders = package.submodule_search_locations if package else None
        zig = shutil.which("zig", path=os.pathsep.join(folders or ()))
        if zig is None:
            raise UserError(
                "there is no C compiler: the Python package ziglang is missing",
                hint="pip install ziglang, or name a clang with --cc",
            )
        return _zig(zig)
    try:
        words = [asked] if shutil.which(asked) else shlex.split(asked)
    except ValueError as error:
        raise UserError(f"--cc {asked} is not a command: {error}", hint=_CC_HINT) from None
    program = shutil.which(words[0]) if words else None
    if program is None:
        raise UserError(f"the compiler {asked} is not there or not executable", hint=_CC_HINT)
    if Path(program).stem == "zig" and words[1:] in ([], ["cc"]):
        return _zig(program)
    return Clang((program, *words[1:]), None)


def _zig(zig: str) -> Clang:
    """The clang inside zig.

    Not `zig cc`: that one turns asserts off and sanitizers on, writes no list of the included
    files, and needs a folder of its own to write to.
    """
    home = Path(zig).resolve().parent
    library = home / "lib" if (home / "lib" / "libc").is_dir() else home.parent / "lib" / "zig"
    return Clang((zig, "clang"), library)


def _what_decides_includes(source: Path, folders: Iterable[str]) -> list[str]:
    """A new header can hide the one that was included before, and so can a variable of clang."""
    names = [os.environ.get(variable, "") for variable in ("CPATH", "C_INCLUDE_PATH")]
    for folder in (source.parent, *map(Path, folders)):
        names += [str(folder), *sorted(path.name for path in folder.glob("*.h"))]
    return names


def _compile(source: Path, compiler: Clang, flags: list[str]) -> tuple[str, list[str]]:
    """The IR, and the files it was made from except those that came with the compiler."""
    name = str(source)
    if name[0] in "-@":
        name = f"./{name}"  # otherwise clang takes it for an option
    try:
        with tempfile.TemporaryDirectory(prefix="imc-") as folder:
            listing = Path(folder) / "files"
            output = ["-MD", "-MF", str(listing), "-MT", "_", "-o", "-"]
            command = [*compiler.command, *flags, *output, "-x", "c", name]
            code, ir, messages = run_compiler(command)
            if code != 0 and _wants_other_atomics(_errors(messages)):
                flags = [*flags, _AS_GCC]
                command = [*compiler.command, *flags, *output, "-x", "c", name]
                code, ir, messages = run_compiler(command)
            if code != 0 and atomic_casts.are_refused(_errors(messages)):
                plain = _compile_plain_casts(
                    command, compiler, flags, Path(folder) / "plain.i", name
                )
                code, ir = (0, plain) if plain else (code, ir)
            if code != 0 and odd_main.is_refused(_errors(messages)):
                preprocessed = Path(folder) / "odd.i"
                ir = _compile_odd_main(command, compiler, flags, preprocessed, name)
                code = code if not ir else 0
            if code == 0 and ir.startswith(b"; ModuleID"):
                files = _listed_files(os.fsdecode(listing.read_bytes()))
                if compiler.library is not None:
                    files = [f for f in files if not Path(f).is_relative_to(compiler.library)]
                return ir.decode("utf-8", "replace"), files
    except OSError as error:
        raise UserError(f"no temporary file can be written: {error}", hint="set TMPDIR") from None
    raise _compile_error(compiler, code, messages.decode("utf-8", "replace"))


def _wants_other_atomics(errors: list[str]) -> bool:
    """Whether clang refuses atomic operations on plain objects; what else it says comes again."""
    return any(error.startswith(_NOT_ATOMIC) for error in errors)


def _compile_odd_main(
    command: list[str], compiler: Clang, flags: list[str], preprocessed: Path, name: str
) -> bytes:
    """The IR of a file that clang refuses for the type of main only; nothing if it still does."""
    code, text, _ = run_compiler([*command, "-E"])
    if code != 0:
        return b""
    changed = odd_main.renamed(text.decode("utf-8", "surrogateescape"))
    preprocessed.write_bytes(changed.text.encode("utf-8", "surrogateescape"))
    words = ["-o", "-", "-x", "cpp-output", str(preprocessed)]
    code, ir, messages = run_compiler([*compiler.command, *flags, *words])
    if code != 0:
        told = messages.decode("utf-8", "replace").replace(changed.name, odd_main.MAIN)
        raise _compile_error(compiler, code, told)
    named = ir.decode("utf-8", "replace").replace(str(preprocessed), name)
    return (changed.restored(named) or "").encode()


def _compile_plain_casts(
    command: list[str], compiler: Clang, flags: list[str], preprocessed: Path, name: str
) -> bytes:
    """The IR of a file that clang refuses for its casts to atomic types; nothing without any."""
    code, given, _ = run_compiler([*command, "-E"])
    text = given.decode("utf-8", "surrogateescape")
    changed = atomic_casts.without_atomic(text)
    if code != 0 or changed == text:
        return b""
    preprocessed.write_bytes(changed.encode("utf-8", "surrogateescape"))
    words = ["-o", "-", "-x", "cpp-output", str(preprocessed)]
    code, ir, messages = run_compiler([*compiler.command, *flags, *words])
    if code != 0:
        raise _compile_error(compiler, code, messages.decode("utf-8", "replace"))
    return ir.replace(os.fsencode(preprocessed), os.fsencode(name))


def run_compiler(command: list[str]) -> tuple[int, bytes, bytes]:
    """The exit code, output and messages of a command, which never outlives this call."""
    with _terminable():
        return _run(command)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM ends us by an exception, so that what we have started is ended too."""
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
        yield
        return
    signal.signal(signal.SIGTERM, raising(lambda: SystemExit(128 + signal.SIGTERM)))
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _run(command: list[str]) -> tuple[int, bytes, bytes]:
    try:
        child = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "LC_ALL": "C"},
            start_new_session=True,  # a group of its own, to end a wrapper together with its clang
        )
    except OSError as error:
        raise UserError(f"the compiler {command[0]} cannot be run: {error.strerror}") from None
    with child:
        try:
            output, messages = child.communicate(timeout=TIME_LIMIT_S)
        except BaseException as error:
            with suppress(OSError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()  # after Ctrl-C, leaving the block would not
            if isinstance(error, subprocess.TimeoutExpired):
                raise UserError(f"the compiler was not done after {TIME_LIMIT_S} s") from None
            raise
    return child.returncode, output, messages


def _listed_files(rule: str) -> list[str]:
    """The prerequisites of a Makefile rule."""
    words = re.findall(r"(?:\\[ #]|\S)+", rule.partition(":")[2].replace("\\\n", " "))
    return [re.sub(r"\\([ #])", r"\1", word).replace("$$", "$") for word in words]


def _errors(messages: bytes) -> list[str]:
    return [text for *_, text in _ERROR.findall(messages.decode("utf-8", "replace"))]


def _compile_error(compiler: Clang, code: int, messages: str) -> UserError:
    zig = compiler.library is not None
    errors = _ERROR.findall(messages)
    if errors:
        file, line, column, text = errors[0]
        hints = []
        if text.endswith("file not found"):
            hints.append("add the header's directory with -I DIR")
            if not zig:
                hints.append("without --cc, imc uses a clang that brings the C library's headers")
        if len(errors) > 1:
            hints.append(f"{len(errors) - 1} more error{'s' if len(errors) > 2 else ''}")
        text = text if len(text) <= LONGEST_MESSAGE else text[:LONGEST_MESSAGE] + "…"
        return UserError(text, SourceLoc(file, int(line), int(column)), "; ".join(hints))
    if code < 0:
        cause = "out of memory?" if -code == signal.SIGKILL else ""
        return UserError(f"the compiler was ended by signal {-code}", hint=cause)
    found = _PLACELESS_ERROR.search(messages)
    if found and zig:  # of the bundled clang, only what it is told can be the reason
        return UserError(f"clang refuses its flags: {found[1]}", hint=_FLAGS_HINT)
    text = found[1] if found else f"no LLVM IR came out (exit code {code})"
    hint = _FLAGS_HINT if zig else _CC_HINT
    return UserError(f"{shlex.join(compiler.command)} failed: {text}", hint=hint)
