"""Asks the site on this machine whether it is well: `python -m config.health`, for a container's health check."""

import http.client
import os
import sys


def main() -> int:
    """Return 0 when /sante answers 200 to the first of the allowed hosts."""
    host = os.environ.get("TAROT_ALLOWED_HOSTS", "localhost").split(",")[0].strip() or "localhost"
    client = http.client.HTTPConnection("127.0.0.1", int(os.environ.get("PORT") or 8000), timeout=5)
    try:
        client.request("GET", "/sante", headers={"Host": host})
        return 0 if client.getresponse().status == 200 else 1
    except OSError:
        return 1
    finally:
        client.close()


if __name__ == "__main__":
    sys.exit(main())
