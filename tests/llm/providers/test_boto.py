from __future__ import annotations

import pytest
from botocore.config import Config
from botocore.loaders import JSONFileLoader, Loader
from botocore.session import get_session

from speciate.llm.providers.boto import ADDRESSED, FewEndpoints, boto_client

KEYS = ("AKPLANTEDACCESS", "planted-secret")


@pytest.mark.parametrize(
    "region", ["us-east-1", "eu-central-1", "us-gov-west-1", "cn-north-1", "eusc-de-east-1"]
)
def test_few_addresses_lead_where_all_of_them_lead(region: str) -> None:
    small = boto_client(region=region, url=None, pair=KEYS, token=None, signs=True)
    full = get_session().create_client(
        "bedrock-runtime",
        region_name=region,
        aws_access_key_id=KEYS[0],
        aws_secret_access_key=KEYS[1],
        config=Config(retries={"total_max_attempts": 1}),
    )
    assert small.meta.endpoint_url == full.meta.endpoint_url
    assert small.meta.partition == full.meta.partition
    assert small.meta.region_name == region


def test_of_all_services_few_are_kept() -> None:
    place = Loader().load_data_with_path("endpoints")[1]
    full = JSONFileLoader().load_file(place)
    few = FewEndpoints().load_file(place)
    assert [p["partition"] for p in few["partitions"]] == [p["partition"] for p in full["partitions"]]
    for kept, all_of_them in zip(few["partitions"], full["partitions"], strict=True):
        wanted = {name: of for name, of in all_of_them["services"].items() if name in ADDRESSED}
        assert kept == {**all_of_them, "services": wanted}
    assert len(full["partitions"][0]["services"]) > 100


def test_other_files_are_read_whole() -> None:
    place = Loader().load_data_with_path("partitions")[1]
    assert FewEndpoints().load_file(place) == JSONFileLoader().load_file(place)
    assert FewEndpoints().load_file(f"{place}/no-such-file") is None
