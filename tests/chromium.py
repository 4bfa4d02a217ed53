"""A headless Chromium, driven over its DevTools protocol: pages at any width, theme and medium.

``--window-size`` alone does not do: a window is never narrower than 500 px.
https://chromedevtools.github.io/devtools-protocol/
"""

import json
import shutil
import subprocess
import time
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import httpx
import websocket

NAMES = ("chromium", "chromium-browser", "google-chrome")
START_S = 30
ANSWER_S = 30
TALLEST_PX = 6_000

Theme = Literal["light", "dark"]
Message = dict[str, Any]


class ChromiumError(Exception):
    """The browser does not start, or refuses what is asked of it."""


def chromium_on_path() -> str | None:
    """Where the browser is."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


@dataclass
class Tab:
    """One tab; what it complains of, and what it asks the network for, is kept."""

    connection: websocket.WebSocket
    said: list[str] = field(default_factory=list)
    requested: list[str] = field(default_factory=list)
    _numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def call(self, method: str, **parameters: Any) -> Message:
        """Ask for something, and take in the events until it is answered."""
        number = next(self._numbers)
        self.connection.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while (message := self._receive()).get("id") != number:
            continue
        if "error" in message:
            raise ChromiumError(f"{method}: {message['error']['message']}")
        return dict(message["result"])

    def open(
        self, file: Path, *, width_px: int, height_px: int = 900, theme: Theme = "light"
    ) -> None:
        """Load a file anew, at a width and in a theme, and without motion."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Emulation.setFocusEmulationEnabled", enabled=True)
        self.size(width_px, height_px)
        self.emulate(theme=theme)
        self.said.clear()
        self.requested.clear()
        self.call("Page.navigate", url=file.absolute().as_uri())
        self.wait_for("Page.loadEventFired")

    def size(self, width_px: int, height_px: int) -> None:
        """Make the tab as large as that."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width_px,
            height=height_px,
            deviceScaleFactor=1,
            mobile=False,
        )

    def emulate(self, *, theme: Theme, media: Literal["screen", "print"] = "screen") -> None:
        """Show the page as a person with these settings sees it."""
        self.call(
            "Emulation.setEmulatedMedia",
            media=media,
            features=[
                {"name": "prefers-color-scheme", "value": theme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ],
        )

    def run(self, script: str) -> Any:
        """Evaluate an expression in the page and wait for what it promises."""
        done = self.call(
            "Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in done:
            raise ChromiumError(json.dumps(done["exceptionDetails"]))
        return done["result"].get("value")

    def press(self, key: str, code: int) -> None:
        """Press a key and let it go."""
        text = "\r" if key == "Enter" else ""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                text=text if kind == "keyDown" else "",
            )

    def screenshot(self, picture: Path, *, until: str = "html", below_px: int = 0) -> None:
        """Take a picture of the page, down to an element, and so much below it."""
        width, bottom = self.run(
            "[innerWidth, scrollY + "
            f"document.querySelector({json.dumps(until)}).getBoundingClientRect().bottom]"
        )
        self.size(int(width), min(round(bottom) + below_px, TALLEST_PX))
        taken = self.call("Page.captureScreenshot", format="png")
        picture.write_bytes(b64decode(taken["data"]))

    def wait_for(self, event: str) -> None:
        """Take in events until that one."""
        while self._receive().get("method") != event:
            continue

    def _receive(self) -> Message:
        message: Message = json.loads(self.connection.recv())
        parameters = message.get("params", {})
        match message.get("method"):
            case "Runtime.consoleAPICalled":
                self.said.append(json.dumps(parameters["args"]))
            case "Runtime.exceptionThrown":
                self.said.append(json.dumps(parameters["exceptionDetails"]))
            case "Log.entryAdded":
                self.said.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requested.append(parameters["request"]["url"])
        return message


@contextmanager
def open_chromium() -> Iterator[Tab]:
    """Run the browser while the block runs, with a profile of its own.

    Raises:
        ChromiumError: there is none on PATH, or it does not start.

    """
    chromium = chromium_on_path()
    if chromium is None:
        raise ChromiumError(f"There is no Chromium on PATH: {', '.join(NAMES)}.")
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
        process = subprocess.Popen(
            [
                chromium,
                *options,
                "--no-first-run",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            port = _port(Path(profile, "DevToolsActivePort"), process)
            yield Tab(_connect(port))
        finally:
            process.terminate()
            process.wait()


def _port(file: Path, process: subprocess.Popen[bytes]) -> int:
    give_up_at = time.monotonic() + START_S
    while time.monotonic() < give_up_at and process.poll() is None:
        lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
        if len(lines) > 1:
            return int(lines[0])
        time.sleep(0.05)
    raise ChromiumError(f"Chromium did not start within {START_S} s.")


def _connect(port: int) -> websocket.WebSocket:
    listed = httpx.get(f"http://127.0.0.1:{port}/json/list", timeout=ANSWER_S, trust_env=False)
    page = next(each for each in listed.json() if each["type"] == "page")
    return websocket.create_connection(
        page["webSocketDebuggerUrl"],
        timeout=ANSWER_S,
        suppress_origin=True,
        http_no_proxy=["127.0.0.1"],
    )
