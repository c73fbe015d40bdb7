"""Time of fan-out and leak audit for the project's zones. Run: `python -m benchmarks.prompting`."""

from __future__ import annotations

import time
from collections.abc import Sequence

from pipeline.content import load_content
from pipeline.project import Project
from pipeline.prompting import audit, load_profile, zone_jobs


def count_tokens(texts: Sequence[str]) -> list[int]:
    """Stands in for the cached counts of a real tokeniser."""
    return [-(-len(text) // 4) for text in texts]


def main() -> None:
    """Prints one row per profile and zone: lines, prompts, and processor milliseconds, the best of five runs."""
    project = Project.find()
    content = load_content(project)
    print(f"{'profile':<10}{'zone':<26}{'lines':>6}{'prompts':>9}{'jobs ms':>9}{'audit ms':>9}")
    for name in ("base", "instruct"):
        profile = load_profile(project.prompts / "profiles", name)
        for zone_id in content.zones:
            rendering, auditing = [], []
            for _ in range(5):
                start = time.process_time()
                jobs = zone_jobs(content, zone_id, profile, {}, count_tokens)
                middle = time.process_time()
                report = audit(content, jobs)
                auditing.append(time.process_time() - middle)
                rendering.append(middle - start)
            row = f"{name:<10}{zone_id:<26}{len(jobs):>6}{report.prompts:>9}"
            print(f"{row}{min(rendering) * 1000:>9.0f}{min(auditing) * 1000:>9.0f}")


if __name__ == "__main__":
    main()
