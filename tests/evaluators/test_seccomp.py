import re
import struct
from pathlib import Path

import pytest

from speciate.evaluators import seccomp

HEADERS = {
    "x86_64": Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"),
    "aarch64": Path("/usr/include/asm-generic/unistd.h"),
}


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Runs the filter as the kernel would, on one system call, and returns what it answers."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", number, audit or seccomp.ARCHITECTURES[machine].audit, 0, *padded)
    code = list(struct.iter_unpack("<HBBI", seccomp.program(machine)))
    at = loaded = 0
    while True:
        operation, yes, no, value = code[at]
        at += 1
        if operation == 0x06:
            return int(value)
        if operation == 0x20:
            (loaded,) = struct.unpack_from("<I", data, value)
            continue
        holds = {0x15: loaded == value, 0x35: loaded >= value, 0x45: bool(loaded & value)}[operation]
        at += yes if holds else no


ALLOW, EPERM, ENOSYS, KILL = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_numbers_are_those_of_the_kernel_headers(machine: str) -> None:
    header = HEADERS[machine]
    if not header.exists():
        pytest.skip("kernel headers are not installed")
    text = header.read_text()
    numbers = dict(re.findall(r"#define\s+__NR(?:3264)?_(\w+)\s+(\d+)", text))
    column = seccomp.ARCHITECTURES[machine].column
    for name, row in seccomp.DENIED.items():
        if row[column] is not None and name in numbers:
            assert row[column] == int(numbers[name]), name


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_every_denied_call_is_refused(machine: str) -> None:
    for row in seccomp.DENIED.values():
        number = row[seccomp.ARCHITECTURES[machine].column]
        if number is not None:
            assert verdict(machine, number) == EPERM


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_arguments_decide_where_they_must(machine: str) -> None:
    arch = seccomp.ARCHITECTURES[machine]
    sigchld, newuser = 17, 0x10000000
    assert verdict(machine, arch.clone, sigchld) == ALLOW
    assert verdict(machine, arch.clone, newuser | sigchld) == EPERM
    assert verdict(machine, arch.clone3) == ENOSYS
    assert [verdict(machine, arch.socket, family) for family in (1, 2, 10, 16, 17)] == [ALLOW] + [EPERM] * 4
    assert verdict(machine, arch.ioctl, 0, seccomp.TIOCSTI) == EPERM
    assert verdict(machine, arch.ioctl, 0, 0x5401) == ALLOW
    assert [verdict(machine, arch.setsockopt, 0, 1, option) for option in (7, 8, 9)] == [EPERM, EPERM, ALLOW]
    assert verdict(machine, arch.setsockopt, 0, 6, 7) == ALLOW
    assert verdict(machine, arch.prlimit, 0) == ALLOW
    assert verdict(machine, arch.prlimit, 1) == EPERM
    assert verdict(machine, 500) == ENOSYS


@pytest.mark.parametrize("machine", seccomp.ARCHITECTURES)
def test_foreign_architectures_are_killed(machine: str) -> None:
    assert verdict(machine, 0, audit=0x40000003) == KILL
    assert verdict(machine, 0x40000000) == KILL
