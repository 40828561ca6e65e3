from shinka.core import EvolutionConfig, ShinkaEvolveRunner
from shinka.database import DatabaseConfig
from shinka.launch import LocalJobConfig

MESSAGE = """Cover the line from 0 to 1 with intervals
that do not overlap."""

jobs = LocalJobConfig(eval_program_path="evaluate.py", time="00:01:30")
database = DatabaseConfig(num_islands=2, archive_size=12, migration_rate=0.1, parent_selection_strategy="weighted")
evolution = EvolutionConfig(
    task_sys_msg=MESSAGE,
    patch_types=["diff", "full", "cross"],
    patch_type_probs=[0.6, 0.3, 0.1],
    num_generations=40,
    llm_models=["some-model"],
    init_program_path="initial.py",
)

if __name__ == "__main__":
    ShinkaEvolveRunner(evo_config=evolution, job_config=jobs, db_config=database).run()
