"""A folder of texts computed from files, each kept as long as none of those files changes."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from imc.records import record

SIZE_LIMIT = 200_000_000


def fingerprint(*parts: str | bytes) -> str:
    """A hash of the parts and of where one ends and the next begins."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogateescape") if isinstance(part, str) else part
        total.update(b"%d:" % len(data) + data)
    return total.hexdigest()


@record
class Cache:
    """Never fails: what cannot be read is not there, what cannot be written is not kept."""

    directory: Path | None

    @classmethod
    def default(cls) -> Cache:
        """The folder that the environment names; an empty IMC_CACHE_DIR means no cache."""
        named = os.environ.get("IMC_CACHE_DIR")
        if named is not None:
            return cls(Path(named) if named else None)
        base = Path(os.environ.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():
            try:
                base = Path.home() / ".cache"
            except RuntimeError:
                return cls(None)
        return cls(base / "imc")

    def load(self, key: str) -> str | None:
        """The text stored under the key, if all files it depends on are as they were."""
        if self.directory is None:
            return None
        path = self.directory / f"{key}.imc"
        try:
            check, content = path.read_bytes().split(b"\n", 1)
            if check.decode() != fingerprint(content):
                return None
            manifest, text = content.split(b"\n", 1)
            for name, seen in json.loads(manifest).items():
                if fingerprint(Path(name).read_bytes()) != seen:
                    return None
        except (OSError, ValueError):
            return None
        with suppress(OSError):
            os.utime(path)  # what is used stays longest
        return text.decode()

    def store(
        self, key: str, text: str, files: Iterable[str] = (), since: int | None = None
    ) -> None:
        """Keep a text made from files, unless one changed after the moment `since` (in ns)."""
        if self.directory is None:
            return
        with suppress(OSError):
            paths = [Path(name) for name in files]
            if since is not None and any(path.stat().st_mtime_ns > since for path in paths):
                return
            manifest = {str(path): fingerprint(path.read_bytes()) for path in paths}
            content = json.dumps(manifest).encode() + b"\n" + text.encode()
            self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            # A name of its own for every writer: `replace` then makes the last one win.
            temporary = self.directory / f"{key}.imc-{os.urandom(4).hex()}"
            try:
                temporary.write_bytes(fingerprint(content).encode() + b"\n" + content)
                temporary.replace(self.directory / f"{key}.imc")
            finally:
                temporary.unlink(missing_ok=True)
        if os.urandom(1)[0] < 8:  # one write in 32 pays for looking at the whole folder
            self.prune()

    def prune(self, limit: int = SIZE_LIMIT) -> None:
        """Delete what was not used for longest until the rest is within the limit (in bytes)."""
        if self.directory is None:
            return
        with suppress(OSError):
            found = [(path, path.stat()) for path in self.directory.glob("*.imc*")]
            found.sort(key=lambda entry: entry[1].st_mtime_ns, reverse=True)
            total = 0
            for path, status in found:
                total += status.st_size
                if total > limit:
                    path.unlink(missing_ok=True)


NO_CACHE = Cache(None)
