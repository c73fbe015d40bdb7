"""What every Celery worker is started with; `celery -A dagster_celery.app worker` finds this module by its name."""

from __future__ import annotations

import os

broker_url = os.environ["VOICEBAKE_REDIS"]
result_backend = broker_url

# A worker bakes one zone at a time, in a process of its own, and keeps none waiting behind it: another may be free.
worker_concurrency = 1
worker_prefetch_multiplier = 1
worker_disable_prefetch = True
# A fresh process for each zone gives the model's memory back.
worker_max_tasks_per_child = 1
# A task is taken off the queue when it starts, and Dagster starts a lost one anew. Redelivery would bake a zone twice.
task_acks_late = False
broker_connection_retry_on_startup = True
# Passwords stand in the address of the broker: nothing of it in the log.
worker_redirect_stdouts = False
