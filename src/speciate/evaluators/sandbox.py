"""Starting a slot's fork server inside bubblewrap: what is bound in, and as whom it runs."""

from __future__ import annotations

import os
import platform
import shutil
import site
import socket
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from speciate.errors import SandboxMissingError, TaskError
from speciate.evaluators import isolate
from speciate.evaluators.limits import Bounds
from speciate.evaluators.zygote import Boot, Mode
from speciate.tasks import FOREIGN_KINDS, Limits, Task, shims_folder

INSIDE = (
    "frame",
    "wire",
    "seccomp",
    "isolate",
    "limits",
    "harness",
    "rehearsal",
    "child",
    "keeper",
    "zygote",
)
"""Modules of this folder that are read inside; nothing else of speciate is."""

_BOOTSTRAP = """
import sys, types
for name, path in (("speciate", []), ("speciate.evaluators", [sys.argv[1]])):
    module = types.ModuleType(name)
    module.__path__ = path
    sys.modules[name] = module
from speciate.evaluators import zygote
zygote.main(int(sys.argv[2]))
"""

_CAPABILITIES = {
    "root": ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_SETUID", "CAP_SETGID", "CAP_KILL", "CAP_SYS_PTRACE"),
    "user": ("CAP_SYS_ADMIN", "CAP_SETPCAP", "CAP_SYS_PTRACE"),
}
_THREADS = ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS", "VECLIB_MAXIMUM")
_FIRST_UID = 1 << 31  # above every range that systems hand out to people, services and containers


@dataclass(frozen=True, slots=True)
class Server:
    """A fork server that has been started.

    Attributes:
        process: bubblewrap, or the server itself in mode unsafe.
        channel: our end of the socket, not blocking.
        complaints: descriptor of what it wrote to stderr.
    """

    process: subprocess.Popen[bytes]
    channel: socket.socket
    complaints: int

    def complaint(self) -> str:
        """Returns the end of what the server wrote to stderr."""
        size = os.fstat(self.complaints).st_size
        return os.pread(self.complaints, 4096, max(0, size - 4096)).decode(errors="replace").strip()

    def end(self) -> None:
        """Kills the server, its sandbox and all in it. May be called twice."""
        if self.channel.fileno() < 0:
            return
        self.process.kill()
        self.channel.close()
        self.process.wait()
        os.close(self.complaints)


def choose_mode(*, unsafe: bool) -> Mode:
    """Returns how this process can isolate candidates.

    Raises:
        SandboxMissingError: not at all, unless `unsafe` is set.
    """
    if unsafe:
        return "unsafe"
    if platform.machine() not in ("x86_64", "aarch64"):
        raise missing(f"there is no system-call filter for {platform.machine()}")
    if shutil.which("bwrap") is None:
        raise missing("bubblewrap is not installed (Debian, Ubuntu: apt-get install bubblewrap)")
    if os.geteuid() == 0:
        return "root"
    version = tuple(int(part) for part in platform.release().split("-")[0].split(".")[:2])
    if version < (5, 14):
        raise missing(
            f"Linux {platform.release()} cannot count an ordinary user's processes per sandbox (needs 5.14)"
        )
    return "user"


def missing(reason: str) -> SandboxMissingError:
    """Returns the error that says why there is no sandbox and what to do."""
    return SandboxMissingError(
        f"candidates cannot be isolated here: {reason}. "
        "--unsafe-no-sandbox runs them with your files and network."
    )


def hint(complaint: str) -> str:
    """Returns which setting of the kernel keeps bubblewrap from working, as far as it can be told."""
    settings = {
        "/proc/sys/kernel/unprivileged_userns_clone": ("0", "1"),
        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": ("1", "0"),
        "/proc/sys/user/max_user_namespaces": ("0", "10000"),
    }
    for path, (bad, good) in settings.items():
        file = Path(path)
        if os.geteuid() != 0 and file.exists() and file.read_text().strip() == bad:
            return f"user namespaces are switched off (sysctl -w {'.'.join(file.parts[3:])}={good})"
    if "Operation not permitted" in complaint or "Permission denied" in complaint:
        return f"the kernel or a container forbids namespaces or mounts, or files are unreadable: {complaint}"
    return complaint or "bubblewrap ended without a word"


def boot_for(task: Task, mode: Mode, slot: int, scratch: str = "") -> Boot:
    """Returns what the fork server of a slot is told.

    Raises:
        TaskError: a file that the task names is not in its folder.
    """
    spec = task.spec
    kind = spec.evaluation.kind
    run = spec.evaluation.run if kind == "split" else ""
    shims = shims_folder(kind) if kind in FOREIGN_KINDS else None
    evaluate = spec.evaluation.evaluate if kind == "plain" or shims else ""
    for name in (*spec.sandbox.files, run, evaluate):
        _check_file(task, name)
    return Boot(
        mode=mode,
        uid=_FIRST_UID + os.getpid() * 256 + slot % 256,  # limits count per uid, so no two slots share one
        bounds=asdict(bounds_of(spec.limits)),
        sites=tuple(site_folders()),
        keep=tuple(root for root in runtime_folders() if root.startswith(("/tmp/", "/dev/shm/"))),
        task="/task" if mode != "unsafe" else str(task.folder or "/nonexistent"),
        files=spec.sandbox.files,
        run=run,
        evaluate=evaluate,
        warm=spec.evaluation.warm,
        python=spec.language == "python",
        shims="" if shims is None else str(shims) if mode == "unsafe" else "/shims",
        adapter="" if shims is None else f"{kind}.adapter",
        scratch=scratch,
    )


def bounds_of(limits: Limits) -> Bounds:
    """Returns a task's limits in the kernel's units."""
    return Bounds(
        cpu_seconds=limits.cpu_seconds,
        wall_seconds=limits.wall_seconds,
        memory_bytes=limits.memory_mb << 20,
        processes=limits.processes,
        output_bytes=int(limits.output_mb * (1 << 20)),
    )


def _check_file(task: Task, name: str) -> None:
    """Raises TaskError unless the named file lies in the task's folder; an empty name is nothing."""
    if not name:
        return
    if task.folder is None:
        raise TaskError(f"task {task.name!r} has no folder to take {name!r} from")
    path = Path(name)
    if path.is_absolute() or ".." in path.parts or not (task.folder / path).exists():
        raise TaskError(f"task {task.name!r} names {name!r}, which is not in {task.folder}")


def launch(task: Task, boot: Boot) -> Server:
    """Starts a fork server; it still has to be told its `boot`.

    Raises:
        SandboxMissingError: bubblewrap cannot be started.
    """
    ours, theirs = socket.socketpair()
    complaints = os.memfd_create("speciate-stderr", os.MFD_CLOEXEC)
    argv = server_argv(boot, theirs.fileno())
    passed = [theirs.fileno()]
    if boot.mode != "unsafe":
        passwd = _passwd(boot)
        argv = [*bwrap_argv(task, boot, passwd), *argv]
        passed.append(passwd)
    try:
        process = subprocess.Popen(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=complaints,
            stderr=complaints,
            pass_fds=passed,
            env=environment(boot),
            start_new_session=True,  # Ctrl-C is for the engine to handle
        )
    except OSError as error:
        raise missing(f"{argv[0]} cannot be started: {error.strerror}") from error
    finally:
        for descriptor in passed[1:]:
            os.close(descriptor)
        theirs.close()
    ours.setblocking(False)
    return Server(process, ours, complaints)


def server_argv(boot: Boot, descriptor: int) -> list[str]:
    """Returns the command line of the fork server: the very interpreter that runs the engine."""
    code = "/speciate" if boot.mode != "unsafe" else str(Path(__file__).parent)
    return [
        interpreter(),
        "-s",
        "-S",
        "-P",
        "-B",
        "-c",
        _BOOTSTRAP,
        code,
        str(descriptor),
    ]


def interpreter() -> str:
    """Returns the path of the interpreter that runs the engine, outside any virtual environment."""
    executable: str = sys._base_executable  # type: ignore[attr-defined]  # venv reads it too; no stub has it
    return os.path.realpath(executable)


def environment(boot: Boot) -> dict[str, str]:
    """Returns all that candidates find in their environment."""
    fixed = {
        "PATH": f"{Path(interpreter()).parent}:/usr/bin:/bin",
        "HOME": "/tmp",
        "TMPDIR": "/tmp",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": ":".join(filter(None, (boot.shims, *boot.sites))),
    }
    libraries = os.environ.get("LD_LIBRARY_PATH")
    if libraries:  # some interpreters are found only with it
        fixed["LD_LIBRARY_PATH"] = libraries
    return fixed | {f"{name}_NUM_THREADS": "1" for name in _THREADS}


def bwrap_argv(task: Task, boot: Boot, passwd: int) -> list[str]:
    """Returns the bubblewrap command line up to the program to run."""
    argv = [
        shutil.which("bwrap") or "bwrap",
        "--unshare-ipc",
        "--unshare-pid",
        "--unshare-net",
        "--unshare-uts",
        "--unshare-cgroup-try",
    ]
    if boot.mode == "user":
        argv += ["--unshare-user", "--uid", "65534", "--gid", "65534"]
    argv += ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--cap-drop", "ALL"]
    argv += [word for name in _CAPABILITIES[boot.mode] for word in ("--cap-add", name)]
    argv += ["--perms", "0755", "--dir", "/etc", "--perms", "0755", "--dir", "/dev", "--proc", "/proc"]
    argv += [
        word
        for name in ("null", "zero", "full", "random", "urandom")
        for word in ("--dev-bind", f"/dev/{name}", f"/dev/{name}")
    ]
    argv += ["--size", str(64 << 20), "--tmpfs", "/tmp", "--size", "4096", "--tmpfs", "/dev/shm"]
    argv += _system()
    folders = runtime_folders()
    argv += _bind(folders)
    argv += _hide(task, ["/usr", *folders])
    argv += _code_and_task(task, boot)
    argv += ["--perms", "0444", "--ro-bind-data", str(passwd), "/etc/passwd"]
    return [*argv, "--remount-ro", "/", "--chdir", "/", "--"]


def _system() -> list[str]:
    """Returns arguments that bind the distribution's programs and libraries."""
    argv = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32"):
        path = Path("/", name)
        if path.is_symlink():
            argv += ["--symlink", str(path.readlink()), str(path)]
        elif path.is_dir():
            argv += ["--ro-bind", str(path), str(path)]
    for name in ("ld.so.cache", "alternatives", "localtime"):
        argv += ["--ro-bind-try", f"/etc/{name}", f"/etc/{name}"]
    return argv


def site_folders() -> list[str]:
    """Returns the folders of installed packages that the engine's interpreter uses, in its order.

    Source folders of editable installs are left out: they may hold what candidates must not see.
    """
    known = {os.path.realpath(path) for path in (*site.getsitepackages(), site.getusersitepackages())}
    found = (os.path.realpath(path) for path in sys.path if path)
    return [
        path
        for path in dict.fromkeys(found)
        if Path(path).is_dir() and (path in known or path.endswith(("/site-packages", "/dist-packages")))
    ]


def runtime_folders() -> list[str]:
    """Returns the folders outside /usr that the interpreter needs, none inside another."""
    base = Path(os.path.realpath(sys.base_prefix))
    parts = [base / name for name in ("bin", "lib", "lib64", "libexec", "include")]
    wanted = [*(str(part) for part in parts if part.is_dir() and not part.is_symlink()), *site_folders()]
    result: list[str] = []
    for folder in sorted(wanted):
        if not _below(folder, ["/usr", "/bin", "/lib", "/lib64", *result]):
            result.append(folder)
    return result


def _below(path: str, folders: Iterable[str]) -> bool:
    """Returns whether a path is one of the folders or lies in one."""
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def _bind(folders: Sequence[str]) -> list[str]:
    """Returns arguments that bind folders read-only, with parents that everyone may pass through."""
    argv: list[str] = []
    made = {"/", *isolate.COVERED, "/dev", "/etc", "/usr"}
    for folder in folders:
        for parent in reversed(Path(folder).parents):
            if str(parent) not in made:
                made.add(str(parent))
                argv += ["--perms", "0755", "--dir", str(parent)]
        argv += ["--ro-bind", folder, folder]
    return argv


def _hide(task: Task, bound: Sequence[str]) -> list[str]:
    """Returns arguments that cover speciate and the task's folder where a bound folder contains them."""
    package = os.path.realpath(Path(__file__).parents[1])
    hidden = [package] if task.folder is None else [package, os.path.realpath(task.folder)]
    argv: list[str] = []
    for folder in hidden:
        if _below(folder, bound) and Path(folder).is_dir():
            argv += ["--size", "4096", "--perms", "0755", "--tmpfs", folder, "--remount-ro", folder]
    return argv


def _code_and_task(task: Task, boot: Boot) -> list[str]:
    """Returns arguments that bind our own modules and the files of the task that candidates may see."""
    argv = ["--perms", "0755", "--dir", "/speciate", "--perms", "0755", "--dir", "/task"]
    here = Path(__file__).parent
    for name in INSIDE:
        argv += ["--ro-bind", str(here / f"{name}.py"), f"/speciate/{name}.py"]
    kind = task.spec.evaluation.kind
    if kind in FOREIGN_KINDS:
        argv += ["--ro-bind", str(shims_folder(kind)), "/shims"]
    for name in dict.fromkeys(filter(None, (*boot.files, boot.run, boot.evaluate))):
        assert task.folder is not None, "checked in boot_for"
        for parent in reversed(Path(name).parents[:-1]):
            argv += ["--perms", "0755", "--dir", f"/task/{parent}"]
        argv += ["--ro-bind", str(task.folder / name), f"/task/{name}"]
    return argv


def _passwd(boot: Boot) -> int:
    """Returns a descriptor from which bubblewrap reads the only entry of /etc/passwd."""
    uid = boot.uid if boot.mode == "root" else 65534
    read, write = os.pipe()
    os.write(write, f"candidate:x:{uid}:{uid}::/tmp:/bin/sh\n".encode())
    os.close(write)
    return read
