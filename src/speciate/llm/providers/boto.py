"""The vendor's library of Amazon, which writes and signs requests; opened small.

Imports botocore, so it is itself imported only when the first request is sent.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from botocore import UNSIGNED
from botocore.client import BaseClient
from botocore.config import Config
from botocore.loaders import JSONFileLoader, create_loader
from botocore.session import get_session
from typing_extensions import override

ADDRESSED = frozenset({"bedrock", "bedrock-runtime", "sts", "sso", "oidc"})
"""The services whose addresses are kept: ours, and those that a profile may get its credentials from."""


class FewEndpoints(JSONFileLoader):  # type: ignore[misc]  # botocore has no types
    """Reads the library's files, and of the addresses of all of Amazon's services those of a few.

    All of them take 7 MB for as long as the client lives.
    """

    # The library's files are JSON of many shapes.
    @override
    def load_file(self, file_path: str) -> Any:
        """Returns what stands in a file named without its ending, or None when there is none."""
        file = Path(f"{file_path}.json")
        if file.name != "endpoints.json" or not file.is_file():
            return super().load_file(file_path)
        return json.loads(file.read_bytes(), object_pairs_hook=_few)


def boto_client(
    *, region: str, url: str | None, pair: tuple[str, str] | None, token: str | None, signs: bool
) -> BaseClient:
    """Returns a client for Converse, without retries of its own.

    Args:
        region: the AWS region.
        url: the server's address, or None for the vendor's own.
        pair: access key and secret key; None leaves it to the library to look for some where `signs`.
        token: what goes with the pair of a session, or None.
        signs: whether requests are signed; a bearer's key needs no signature.
    """
    session = get_session()
    loader = create_loader(session.get_config_variable("data_path"))
    loader.file_loader = FewEndpoints()
    session.register_component("data_loader", loader)
    access, secret = pair or (None, None)
    return session.create_client(
        "bedrock-runtime",
        region_name=region,
        endpoint_url=url,
        aws_access_key_id=access,
        aws_secret_access_key=secret,
        aws_session_token=token,
        config=Config(retries={"total_max_attempts": 1}, signature_version=None if signs else UNSIGNED),
    )


def _few(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Builds an object of the file; a partition's list of services is cut as soon as it is complete."""
    found = dict(pairs)
    services = found.get("services")
    if isinstance(services, dict):
        found["services"] = {name: services[name] for name in services if name in ADDRESSED}
    return found
