import asyncio
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from speciate.errors import SandboxMissingError, TaskError
from speciate.evaluators import sandbox
from speciate.evaluators.pool import SandboxPool
from speciate.evaluators.zygote import Boot
from speciate.tasks import EvaluationSpec, ObjectiveSpec, SandboxSpec, Task, TaskSpec
from speciate.testing.sandbox import answering_task, ask, program, running

DEBIAN = Path("/usr/bin/python3")
NOBODY = 65534
NEEDED = (
    *("numpy", "numpy.libs", "pydantic", "pydantic_core", "annotated_types", "typing_extensions.py"),
    *("typing_inspection", "pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py.py"),
)


def test_without_bubblewrap_the_package_and_the_flag_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxMissingError, match=r"apt-get install bubblewrap.*--unsafe-no-sandbox"):
        asyncio.run(SandboxPool(answering_task(tmp_path), slots=1).start())


def test_a_bubblewrap_that_is_forbidden_to_work_says_why(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text(
        "#!/bin/sh\necho 'bwrap: Creating new namespace failed: Operation not permitted' >&2\nexit 1\n"
    )
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SandboxMissingError, match=r"forbids namespaces.*--unsafe-no-sandbox"):
        asyncio.run(SandboxPool(answering_task(tmp_path), slots=1).start())


def test_a_sandbox_that_does_not_hold_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The self-check sees a missing wall: here a folder of the host that everyone may write to."""
    whole = sandbox.bwrap_argv
    door = tmp_path / "door"
    door.mkdir()
    door.chmod(0o777)

    def leaky(task: Task, boot: Boot, passwd: int) -> list[str]:
        argv = whole(task, boot, passwd)
        return [*argv[:-5], "--bind", str(door), "/etc", *argv[-5:]]

    monkeypatch.setattr(sandbox, "bwrap_argv", leaky)
    with pytest.raises(SandboxMissingError, match="does not hold"):
        asyncio.run(SandboxPool(answering_task(tmp_path), slots=1).start())


def test_no_folder_is_bound_twice_and_none_outside_the_interpreter() -> None:
    folders = sandbox.runtime_folders()
    allowed = [os.path.realpath(sys.base_prefix), *sandbox.site_folders()]
    assert len(folders) == len(set(folders))
    for folder in folders:
        assert any(folder == root or folder.startswith(root + "/") for root in allowed)
        assert not any(folder != other and folder.startswith(other + "/") for other in folders)
    assert os.path.realpath(sysconfig.get_paths()["purelib"]) in sandbox.site_folders()


def test_a_task_folder_inside_what_is_bound_is_covered(tmp_path: Path) -> None:
    """As for a problem that is installed with the engine: its score file lies among the packages."""
    packages = tmp_path / "lib" / "site-packages"
    folder = packages / "problem"
    folder.mkdir(parents=True)
    task = answering_task(folder)

    async def main() -> None:
        async with running(task) as pool:
            source = "import os\ndef answer(case): return [os.listdir(folder) for folder in case]"
            report = await ask(pool, source, [str(packages), str(folder)])
            assert report.failure is None, report.failure
            assert report.cases[0].data == [["problem"], []]

    sys.path.append(str(packages))
    try:
        asyncio.run(main())
    finally:
        sys.path.remove(str(packages))


def test_packages_under_tmp_stay_visible_and_read_only(tmp_path: Path) -> None:
    """An environment made in /tmp is not hidden by the candidate's private /tmp."""
    packages = tmp_path / "an env" / "site-packages"
    packages.mkdir(parents=True)
    (packages / "lies_in_tmp.py").write_text("NUMBER = 5")
    source = f"""
import os, lies_in_tmp
def answer(case):
    return [lies_in_tmp.NUMBER, os.access({str(packages)!r}, os.W_OK), os.access('/tmp', os.W_OK)]
"""

    async def main() -> None:
        async with running(answering_task(tmp_path)) as pool:
            report = await ask(pool, source)
            assert report.failure is None, report.failure
            assert report.cases[0].data == [5, False, True]

    sys.path.append(str(packages))
    try:
        asyncio.run(main())
    finally:
        sys.path.remove(str(packages))


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "missing.txt"])
def test_files_outside_the_task_are_not_bound(tmp_path: Path, name: str) -> None:
    spec = TaskSpec(
        name="t",
        objectives=(ObjectiveSpec(name="s"),),
        evaluation=EvaluationSpec(kind="command", command=("true",)),
        sandbox=SandboxSpec(files=(name,)),
    )
    task = Task(spec=spec, initial=program(""), folder=tmp_path)
    with pytest.raises(TaskError, match="names"):
        asyncio.run(SandboxPool(task, slots=1).start())


def test_slots_of_one_engine_never_share_a_user(tmp_path: Path) -> None:
    task = answering_task(tmp_path)
    uids = {sandbox.boot_for(task, "root", slot).uid for slot in range(64)}
    assert len(uids) == 64
    assert all(1 << 31 <= uid < (1 << 32) - 1 for uid in uids)


def _readable_copy(folder: Path) -> Path:
    """Copies what the hostile suite needs to where an ordinary user can read it, and returns the place."""
    packages = folder / "site-packages"
    packages.mkdir()
    for name in NEEDED:
        source = Path(sysconfig.get_paths()["purelib"]) / name
        if source.is_dir():
            shutil.copytree(source, packages / name, ignore=shutil.ignore_patterns("tests", "__pycache__"))
        elif source.exists():
            shutil.copy(source, packages / name)
    shutil.copytree(Path(sandbox.__file__).parents[1], packages / "speciate")
    for file in (Path(__file__).with_name("conftest.py"), *Path(__file__).parent.glob("test_hostile*.py")):
        shutil.copy(file, packages)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    return packages


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="whoever is not root runs the whole suite as an ordinary user")
def test_hostile_candidates_of_an_ordinary_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    if not DEBIAN.exists():
        pytest.skip("there is no interpreter that an ordinary user can read")
    code = "import sys; print(sys.version_info[:2])"
    version = subprocess.run([DEBIAN, "-c", code], capture_output=True, text=True).stdout
    if version.strip() != str(sys.version_info[:2]):
        pytest.skip("the packages of this interpreter are not for the distribution's")
    folder = Path("/tmp") / f"speciate-ordinary-{os.getpid()}"
    folder.mkdir()
    try:
        packages = _readable_copy(folder)
        chosen = (
            "fork or memory or signals or children or segfault or network or calls or file_system or five "
            "or bill or init"
        )
        options = ["-q", "-p", "no:cacheprovider", "-c", "/dev/null", "--import-mode=importlib"]
        suite = [str(file) for file in sorted(packages.glob("test_hostile*.py"))]
        place = ["--rootdir", str(folder), "-k", chosen, *suite]
        result = subprocess.run(
            [str(DEBIAN), "-m", "pytest", *options, *place],
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(packages), "PYTHONDONTWRITEBYTECODE": "1"},
            cwd=folder,
            capture_output=True,
            text=True,
        )
    finally:
        shutil.rmtree(folder)
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-1000:]
    assert " passed" in result.stdout
    assert "skipped" not in result.stdout
