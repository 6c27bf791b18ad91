"""How gunicorn serves the site on a server: `gunicorn -c python:config.gunicorn config.wsgi`, behind a proxy."""

import os
from pathlib import Path

bind = f"0.0.0.0:{os.environ.get('PORT') or 8000}"
workers = int(os.environ.get("WEB_CONCURRENCY") or 2 * (os.cpu_count() or 1))
preload_app = True
max_requests = 10_000
max_requests_jitter = 1_000
control_socket_disable = True
accesslog = None
if Path("/dev/shm").is_dir():  # noqa: S108  gunicorn's heartbeat file must not wait for a disk
    worker_tmp_dir = "/dev/shm"  # noqa: S108  same
