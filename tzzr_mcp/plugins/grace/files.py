"""``archivo``: a file on the server's machine, read only from the folders that its owner has opened (contract §5)."""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tzzr_mcp.contract.arguments import check_size
from tzzr_mcp.contract.catalogue import LIMIT_BYTES
from tzzr_mcp.contract.errors import ArgumentInvalid, Code, shown
from tzzr_mcp.contract.translation import Document
from tzzr_mcp.services.spanish import megabytes

# O_NONBLOCK: a named pipe must not hold the thread before it is seen to be none. O_NOFOLLOW: links are resolved by
# now, and nobody may put a new one in between. Not every system has all of them.
_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_NONBLOCK", "O_NOFOLLOW", "O_CLOEXEC", "O_BINARY")
)


@dataclass(frozen=True)
class Files:
    """The open folders, symlinks resolved; none means that ``archivo`` is off."""

    roots: Sequence[Path]
    over_http: bool = False

    @classmethod
    def of(cls, setting: str, *, over_http: bool = False) -> Files:
        """The folders of TZZR_FILES_ROOT, parted as in PATH."""
        folders = [part.strip() for part in setting.split(os.pathsep) if part.strip()]
        return cls([Path(os.path.realpath(os.path.expanduser(folder))) for folder in folders], over_http)

    async def read(self, name: str, *, remote: bool = False) -> Document:
        """The content of the file called ``name``; a relative name is looked up in each folder in turn.

        Raises:
            ArgumentInvalid: FILE_NOT_ALLOWED (no folder is open, the client is remote, the file lies elsewhere, also
                through a symlink, or is no regular file), FILE_NOT_FOUND, FILE_TOO_LARGE.
        """
        if remote and not self.over_http:
            raise _refused("Los archivos del servidor no se leen a petición de clientes remotos", name)
        if not self.roots:
            raise _refused("Este servidor no tiene abierta ninguna carpeta para leer archivos", name)
        return Document(await asyncio.to_thread(self._content, name))

    def _content(self, name: str) -> bytes:
        descriptor = _opened(self._located(name), name)
        try:
            _check_regular(descriptor, name)
            with os.fdopen(descriptor, "rb", closefd=False) as file:
                return file.read(LIMIT_BYTES + 1)
        finally:
            os.close(descriptor)

    def _located(self, name: str) -> Path:
        """The real path of ``name``, symlinks resolved first, below one of the folders."""
        if "\0" in name:
            raise _missing(name)
        given = Path(name)
        places = [given] if given.is_absolute() else [root / given for root in self.roots]
        there = [place for place in places if os.path.lexists(place)] or places
        allowed = [real for place in there if self._allows(real := Path(os.path.realpath(place)))]
        if not allowed:
            raise _refused("Ese archivo está fuera de las carpetas permitidas", name)
        return next((path for path in allowed if os.path.exists(path)), allowed[0])

    def _allows(self, real: Path) -> bool:
        return any(real.is_relative_to(root) for root in self.roots)


def _opened(path: Path, name: str) -> int:
    try:
        return os.open(path, _FLAGS)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing(name) from None
    except (OSError, ValueError):
        raise _refused("No se permite leer ese archivo", name) from None


def _check_regular(descriptor: int, name: str) -> None:
    """Refuse, before a byte is read, what is no regular file, empty, or too large."""
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise _refused("Solo se leen archivos normales, no carpetas ni dispositivos", name)
    if status.st_size > LIMIT_BYTES:
        sizes = f"ocupa {megabytes(status.st_size)} y el máximo son {megabytes(LIMIT_BYTES)}"
        message = f"El archivo {shown(name)} es demasiado grande: {sizes}. Envíe uno más pequeño o divídalo."
        details = {"limit_bytes": LIMIT_BYTES, "size_bytes": status.st_size}
        raise ArgumentInvalid("archivo", message, code=Code.FILE_TOO_LARGE, **details)
    check_size("archivo", status.st_size)


def _refused(reason: str, name: str) -> ArgumentInvalid:
    message = (
        f"{reason} (archivo={shown(name)}). Envíe el contenido en base64, o pida que se abra su carpeta con "
        "TZZR_FILES_ROOT."
    )
    return ArgumentInvalid("archivo", message, code=Code.FILE_NOT_ALLOWED)


def _missing(name: str) -> ArgumentInvalid:
    message = f"No existe el archivo {shown(name)}. Compruebe la ruta, que es de la máquina del servidor."
    return ArgumentInvalid("archivo", message, code=Code.FILE_NOT_FOUND)
