"""Two tools for assistants that speak the Model Context Protocol: hide and restore.

An assistant sees whatever a tool answers. So notes go in and answers come out as files:
``hide`` reads a file and answers with tokens, ``restore`` writes a file with the
originals and answers with counts.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from presidio_mx.conversation import Hidden
from presidio_mx.errors import InputError, reason
from presidio_mx.private_file import write_private
from presidio_mx.work.documents.deidentify import whole_text
from presidio_mx.work.documents.read import open_document

_ABOUT = (
    "De-identifies clinical notes in Mexican Spanish. Call hide with the name of a "
    "note's file before you work on it; write your answer with the same tokens, such "
    "as {NOMBRE_1}; call restore to write it, with the originals, into a new file."
)


class Desk:
    """The files of a folder, and one conversation about them.

    :param folder: Where notes are read and answers are written; nothing outside it is.
    :param settings: As :func:`presidio_mx.hidden` takes them.
    :raises InputError: If there is no such folder.
    """

    def __init__(self, folder: Path, **settings: Any) -> None:
        """Begin a conversation."""
        if not folder.is_dir():
            raise InputError(f"{folder}: no such folder")
        self._folder = folder.resolve()
        self._hidden = Hidden("", **settings)

    def hide(self, file: str) -> str:
        """Return the text of a note with tokens in the place of identifiers.

        :param file: Name of the note's file, in the folder.
        """
        opened = open_document(self._path(file), name="file")
        return self._hidden.hide(whole_text(opened))

    def restore(self, answer: str, file: str) -> dict[str, Any]:
        """Write an answer with the originals into a new file.

        :param answer: The answer, with tokens.
        :param file: Name of the new file, in the folder; it must not exist.
        :return: How many tokens were put back, and those that stand for nothing.
        """
        path = self._path(file)
        back = self._hidden.restore(answer)
        try:
            write_private(path, [back.text.encode("utf-8")], replace=False)
        except FileExistsError:
            raise InputError("file: there is one of this name; take another") from None
        return {"restored": back.restored, "unknown": list(back.unknown)}

    def _path(self, file: str) -> Path:
        path = (self._folder / file).resolve()
        if not path.is_relative_to(self._folder) or path == self._folder:
            raise InputError("file: outside the folder; give a name inside it")
        return path


def mcp_server(desk: Desk) -> Any:
    """Return a server with the two tools.

    :param desk: Folder and conversation.
    """
    from mcp.server.mcpserver import MCPServer
    from mcp.server.mcpserver.exceptions import ToolError

    def told(work: Callable[[], Any]) -> Any:
        try:
            return work()
        except Exception as error:  # what others than ours say may quote a note
            raise ToolError(reason(error)) from None

    server = MCPServer("presidio-mx", instructions=_ABOUT, log_level="ERROR")

    def hide(file: str) -> str:
        """Return the text of a clinical note, tokens in the place of identifiers.

        file: name of the note's file, in the folder of this server.
        """
        text: str = told(lambda: desk.hide(file))
        return text

    def restore(answer: str, file: str) -> dict[str, Any]:
        """Write an answer, with the originals in the place of tokens, into a new file.

        answer: the text with tokens. file: name of the new file, in the same folder.
        Returns how many tokens were put back, and tokens that stand for nothing.
        """
        done: dict[str, Any] = told(lambda: desk.restore(answer, file))
        return done

    server.add_tool(hide)
    server.add_tool(restore)
    return server
