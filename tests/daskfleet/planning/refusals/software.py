"""Images that would not run."""

from tests.daskfleet.planning.documents import Refusal, minimal

P100 = {
    "name": "p100",
    "machine_type": "n1-standard-8",
    "accelerator": "nvidia-tesla-p100",
    "gpus_per_node": 1,
}

REFUSALS: dict[str, Refusal] = {
    "CUDA 13 image with an old driver": (
        minimal(
            image="rapidsai/base:26.10-cuda13-py3.13",
            driver={"version": "570.195.03"},
        ),
        "driver.version",
        "570.195.03",
        "version 580.x or newer",
        "choose a 580.x driver, or an image for an older CUDA",
    ),
    "pools that do not name their driver, but another than the wanted one": (
        minimal(driver={"version": "580.126.20", "unmarked_version": "570.195.03"}),
        "driver.unmarked_version",
        "570.195.03",
        "580.126.20, or nothing",
        "remove unmarked_version",
    ),
    "digest of the operator's image without the version that it belongs to": (
        minimal(operator={"image_digest": "sha256:" + "0" * 64}),
        "operator.image_digest",
        "sha256:" + "0" * 64,
        "version: 2026.3.0 beside it",
        "write the version that the digest belongs to",
    ),
    "digest of the operator's image that is cut short": (
        minimal(operator={"version": "2026.3.0", "image_digest": "sha256:0123"}),
        "operator.image_digest",
        "sha256:0123",
        '"sha256:" and 64 hexadecimal digits',
        "",
    ),
    "digest of a team's image that is cut short": (
        minimal(
            teams=[{"name": "alpha", "image": {"ref": "t@sha256:1", "rapids": "26.10", "cuda": 12}}]
        ),
        "teams[0].image.ref",
        "t@sha256:1",
        "with or without @sha256: and 64 hexadecimal digits",
        "",
    ),
    "CUDA 13 image with GKE's default driver": (
        minimal(
            image="rapidsai/base:26.10-cuda13-py3.13",
            driver={"install": "gke", "channel": "DEFAULT"},
        ),
        "driver.channel",
        "DEFAULT",
        "LATEST (branch 580)",
        "change the driver",
    ),
    "GPU below the image's compute capability": (
        minimal(teams=[{"name": "alpha", "workers": 1}], worker_pools=[P100]),
        "worker_pools[0].accelerator",
        "nvidia-tesla-p100",
        "nvidia-l4, nvidia-tesla-t4, nvidia-tesla-v100",
        "an image that was built for older GPUs",
    ),
    "scheduler's GPU below the image's compute capability": (
        minimal(scheduler_pool={"accelerator": "nvidia-tesla-p4"}),
        "scheduler_pool.accelerator",
        "nvidia-tesla-p4",
        "nvidia-tesla-v100",
        "choose one of those",
    ),
    "legacy scheduler command with a newer image": (
        minimal(teams=[{"name": "alpha", "scheduler": {"command": ["dask-scheduler"]}}]),
        "teams[0].scheduler.command",
        '["dask-scheduler"]',
        "[dask, scheduler]",
        "write dask scheduler",
    ),
    "legacy worker command with an image newer than the catalog": (
        minimal(
            image="rapidsai/base:27.02-cuda13-py3.14",
            teams=[{"name": "alpha", "worker": {"command": ["dask-worker"]}}],
        ),
        "teams[0].worker.command",
        '["dask-worker"]',
        "[dask, cuda, worker]",
        "write dask worker",
    ),
    "image whose tag says nothing": (
        minimal(image="rapidsai/base:latest"),
        "image",
        "rapidsai/base:latest",
        "{ref: my.registry/team@sha256:",
        "write the mapping {ref, rapids, cuda}",
    ),
    "image for a CUDA version that RAPIDS does not build for": (
        minimal(image="rapidsai/base:26.10-cuda11-py3.13"),
        "image",
        "rapidsai/base:26.10-cuda11-py3.13",
        "CUDA 12 or 13",
        "choose an image for one of those",
    ),
    "image for a Python version that RAPIDS does not publish": (
        minimal(image="rapidsai/base:26.10-cuda12-py3.10"),
        "image",
        "rapidsai/base:26.10-cuda12-py3.10",
        "Python 3.11, 3.12, 3.13, 3.14",
        "write -py3.14",
    ),
}
