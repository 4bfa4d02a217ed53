"""By which labels the pods of a team's JupyterLabs are known."""

JUPYTER = "jupyter"
"""Component of the pod that is the whole team's."""

OF_A_PERSON = "jupyter-of-a-person"
"""Component of a person's pod. Deployment and Service of the team's own JupyterLab select
``jupyter``, the former for its life: they must not find anybody else's pod."""

COMPONENTS = (JUPYTER, OF_A_PERSON)
