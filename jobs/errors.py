"""What goes wrong with a job: refusals with a code, and the ways a runner loses hold of it."""


class JobError(Exception):
    """A job that cannot be done and will not be by trying again; `code` finds its sentence in `labels`."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class LostJobError(Exception):
    """The job was cancelled or taken over: whoever gets this stops and writes nothing more."""
