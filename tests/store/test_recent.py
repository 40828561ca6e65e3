from speciate.store.recent import Recent


def test_what_was_used_longest_ago_makes_room() -> None:
    recent: Recent[str, int] = Recent(2)
    recent.put("a", 1)
    recent.put("b", 2)
    assert recent.get("a") == 1
    recent.put("c", 3)
    assert [recent.get(name) for name in "abc"] == [1, None, 3]


def test_weights_add_up_to_the_limit() -> None:
    recent: Recent[str, str] = Recent(10, len)
    recent.put("a", "12345")
    recent.put("b", "12345")
    recent.put("a", "123456")
    assert recent.get("a") == "123456"
    assert recent.get("b") is None
    recent.put("big", "x" * 11)
    assert len(recent) == 0
