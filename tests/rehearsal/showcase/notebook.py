"""A notebook's kernel, asked as JupyterLab's page asks it."""

import uuid
from typing import Any

import httpx
import httpx_ws

PATIENCE_S = 60


def printed_by(lab: httpx.Client, code: str) -> str:
    """Run code that prints one line, in a kernel of its own, and return that line."""
    kernel = lab.post("/api/kernels", json={"name": "python3"}).json()["id"]
    request = {
        "header": {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "version": "5.3"},
        "parent_header": {},
        "metadata": {},
        "content": {"code": code, "silent": False},
        "channel": "shell",
    }
    channels: httpx_ws.WebSocketSession
    with httpx_ws.connect_ws(f"/api/kernels/{kernel}/channels", lab) as channels:
        channels.send_json(request)
        said = ""
        while "\n" not in said:
            message: dict[str, Any] = channels.receive_json(timeout=PATIENCE_S)
            assert message["msg_type"] != "error", message["content"]
            if message["content"].get("name") == "stdout":
                said += message["content"]["text"]
    assert lab.delete(f"/api/kernels/{kernel}").is_success
    return said
