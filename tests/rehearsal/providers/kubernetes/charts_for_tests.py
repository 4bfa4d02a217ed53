"""A small chart on disk, for tests of Helm releases."""

from pathlib import Path

CONFIG_MAP = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}-settings
data:
  colour: {{ .Values.colour | quote }}
"""


def write_chart(directory: Path, *, version: str = "1.0.0", template: str = CONFIG_MAP) -> str:
    """Write a chart with one template; return its path."""
    (directory / "templates").mkdir(parents=True, exist_ok=True)
    (directory / "Chart.yaml").write_text(
        f"apiVersion: v2\nname: paint\nversion: {version}\nappVersion: '9'\n"
    )
    (directory / "values.yaml").write_text("colour: red\n")
    (directory / "templates" / "settings.yaml").write_text(template)
    return str(directory)
