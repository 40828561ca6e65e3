from __future__ import annotations

from pathlib import Path

from speciate.evaluators import evaluator_hash
from speciate.tasks import load_folder
from speciate.testing.foreign import foreign_task, judged

SCRIPT = "# takes --program_path and --results_dir, reads table.yaml\nimport numpy\nimport helper\n"


def folder(path: Path, **more: str) -> Path:
    files = {"evaluate.py": SCRIPT, "initial.py": "x = 1\n", "helper.py": "", "data/words.txt": "one", **more}
    foreign_task(path, {name.replace("__", "."): text for name, text in files.items()})
    return path


def test_an_evaluation_sees_what_lies_beside_it(tmp_path: Path) -> None:
    task = load_folder(folder(tmp_path, table__yaml="a: 1"))
    assert task.spec.sandbox.files == ("data", "helper.py", "initial.py", "table.yaml")


def test_keys_other_candidates_and_notes_stay_outside(tmp_path: Path) -> None:
    hidden = {
        ".env": "KEY=1",
        "config.yaml": "api_key: 1",
        "run_evo.py": "",
        "README.md": "",
        "notes.ipynb": "{}",
        "results_small/gen_0/main.py": "x = 2",
        "openevolve_output/best.py": "x = 2",
        "mine/history.sqlite": "",
        "__pycache__/helper.pyc": "",
    }
    folder(tmp_path, **hidden)
    (tmp_path / "away").symlink_to("/etc")
    (tmp_path / "broken").symlink_to("nowhere")
    assert load_folder(tmp_path).spec.sandbox.files == ("data", "helper.py", "initial.py")


def test_the_identity_of_the_scoring_follows_every_file_it_can_read(tmp_path: Path) -> None:
    before = evaluator_hash(load_folder(folder(tmp_path)))
    assert evaluator_hash(load_folder(folder(tmp_path))) == before
    changed = evaluator_hash(load_folder(folder(tmp_path, **{"data/words.txt": "two"})))
    assert changed != before
    assert evaluator_hash(load_folder(folder(tmp_path, **{"data/more.txt": ""}))) != changed


def test_libraries_that_take_long_are_imported_once(tmp_path: Path) -> None:
    assert load_folder(folder(tmp_path)).spec.evaluation.warm == ("numpy",)


def test_a_candidate_cannot_read_what_stays_outside(tmp_path: Path) -> None:
    files = {
        "evaluator.py": """
            from pathlib import Path

            def evaluate(program_path):
                found = sorted(path.name for path in Path(__file__).parent.iterdir())
                return {"combined_score": float(len(found)), "found": " ".join(found)}
            """,
        "initial_program.py": "x = 1\n",
        "words.txt": "",
        ".env": "KEY=1",
    }
    outcome = judged(foreign_task(tmp_path, files))
    assert outcome.result is not None
    assert outcome.result.public["found"] == "evaluator.py initial_program.py words.txt"
