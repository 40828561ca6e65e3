"""Candidates that look for a way out: to the network, files, identity, system calls, descriptors."""

import socket
from pathlib import Path

import numpy as np

from speciate.testing.sandbox import Slot


def test_no_network_and_no_socket_of_the_host_can_be_reached(slot: Slot, tmp_path: Path) -> None:
    with (
        socket.socket() as tcp,
        socket.socket(socket.AF_UNIX) as file,
        socket.socket(socket.AF_UNIX) as abstract,
    ):
        tcp.bind(("127.0.0.1", 0))
        file.bind(str(tmp_path / "socket"))
        abstract.bind("\0speciate-test-host")
        for listener in (tcp, file, abstract):
            listener.listen()
        addresses = {"tcp": tcp.getsockname()[1], "file": str(tmp_path / "socket")}
        source = """
import socket
def answer(case):
    reached = []
    tries = [
        (socket.AF_INET, ('127.0.0.1', case['tcp'])), (socket.AF_INET6, ('::1', case['tcp'])),
        (socket.AF_UNIX, case['file']), (socket.AF_UNIX, '\\0speciate-test-host'),
        (socket.AF_NETLINK, (0, 0)),
        (socket.AF_PACKET, ('lo', 0)), (40, None), (38, None),
    ]
    for family, address in tries:
        try:
            made = socket.socket(family, socket.SOCK_STREAM if family in (1, 2, 10, 40) else socket.SOCK_RAW)
            made.connect(address)
            reached.append([family, 'connected'])
        except OSError:
            pass
    return reached
"""
        assert slot.answer(source, addresses) == []


def test_the_file_system_holds_no_secret_and_nothing_to_write_but_the_private_folders(slot: Slot) -> None:
    source = """
import os, sys
STANDARD = f'/lib/python3.{sys.version_info[1]}'
def answer(case):
    secret, writable, names = [], [], []
    for folder, folders, files in os.walk('/'):
        if os.access(folder, os.W_OK): writable.append(folder)
        if folder == '/usr' or folder.endswith(('site-packages', STANDARD)):
            folders.clear()
            continue
        for name in files:
            path = os.path.join(folder, name)
            names.append(path)
            try:
                with open(path, 'rb') as file:
                    if b'hush-' + b'7431' in file.read(1 << 16): secret.append(path)
            except OSError: pass
    return {'secret': secret, 'writable': writable, 'score': [n for n in names if n.endswith('score.py')],
            'shadow': os.path.exists('/etc/shadow'), 'etc': os.listdir('/etc'), 'task': os.listdir('/task')}
"""
    seen = slot.answer(source)
    assert isinstance(seen, dict)
    assert seen["secret"] == []
    assert seen["score"] == []
    assert not seen["shadow"]
    assert {path for path in seen["writable"] if not path.startswith("/tmp/")} == {"/tmp", "/dev/shm"}
    assert set(seen["etc"]) <= {"passwd", "ld.so.cache", "alternatives", "localtime"}
    assert sorted(seen["task"]) == ["run.py", "table.txt"]


def test_environment_and_identity_are_our_own(slot: Slot) -> None:
    source = """
import os, socket
def answer(case):
    return {'names': sorted(os.environ), 'home': os.environ['HOME'], 'host': socket.gethostname(),
            'uid': os.getuid(), 'proc': os.listdir('/proc'), 'user': os.path.expanduser('~')}
"""
    seen = slot.answer(source)
    assert isinstance(seen, dict)
    threads = {f"{n}_NUM_THREADS" for n in ("OPENBLAS", "OMP", "MKL", "NUMEXPR", "BLIS", "VECLIB_MAXIMUM")}
    ours = {
        "PATH",
        "HOME",
        "TMPDIR",
        "LANG",
        "MPLBACKEND",
        "PYTHONHASHSEED",
        "PYTHONDONTWRITEBYTECODE",
        "PYTHONPATH",
    }
    assert set(seen["names"]) - {"LD_LIBRARY_PATH", "PWD"} == ours | threads
    assert seen["home"] == seen["user"] == "/tmp"
    assert seen["host"] == "sandbox"
    assert seen["uid"] != 0
    assert seen["proc"] == []


def test_dangerous_system_calls_are_refused_and_no_capability_is_left(slot: Slot) -> None:
    source = """
import ctypes, os, struct
libc = ctypes.CDLL(None, use_errno=True)
def refused(number, *arguments):
    result = libc.syscall(number, *arguments)
    return result == -1 and ctypes.get_errno() in (1, 38)
def answer(case):
    calls = case if os.uname().machine == 'x86_64' else []
    header, data = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)()
    libc.capget(header, data)
    return {'allowed': [n for n in calls if not refused(n, 0, 0, 0, 0, 0)],
            'newuser': os.uname().machine == 'x86_64' and not refused(56, 0x10000011, 0, 0, 0, 0),
            'caps': list(data), 'bounding': [c for c in range(64) if libc.prctl(23, c, 0, 0, 0) == 1],
            'seccomp': libc.prctl(21, 0, 0, 0, 0), 'no_new_privs': libc.prctl(39, 0, 0, 0, 0)}
"""
    calls = [101, 165, 166, 272, 308, 250, 321, 323, 425, 310, 155, 161, 135, 304, 29, 319, 298, 435, 278]
    seen = slot.answer(source, calls)
    expected = {
        "allowed": [],
        "newuser": False,
        "caps": [0] * 6,
        "bounding": [],
        "seccomp": 2,
        "no_new_privs": 1,
    }
    assert seen == expected


def test_memory_cannot_be_hidden_in_sockets(slot: Slot) -> None:
    source = """
import socket
def answer(case):
    one, other = socket.socketpair()
    refused, filled = [], 0
    for option in (socket.SO_SNDBUF, socket.SO_RCVBUF, 32, 33):
        try: one.setsockopt(socket.SOL_SOCKET, option, 4 << 20)
        except PermissionError: refused.append(option)
    one.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 0)
    one.setblocking(False)
    try:
        while True: filled += one.send(bytes(4096))
    except BlockingIOError: return [refused, filled]
"""
    answer = slot.answer(source)
    assert isinstance(answer, list)
    refused, filled = answer
    assert refused == [socket.SO_SNDBUF, socket.SO_RCVBUF, 32, 33]
    assert filled < 1 << 20


def test_only_five_descriptors_are_inherited(slot: Slot) -> None:
    source = """
import os
def answer(case):
    return [fd for fd in range(1024) if _open(fd)]
def _open(fd):
    try: os.fstat(fd)
    except OSError: return False
    return True
"""
    assert slot.answer(source) == [0, 1, 2, 3, 4]


def test_libraries_work_without_proc(slot: Slot) -> None:
    source = """
import multiprocessing, os, subprocess, sys, tempfile, threading
import numpy as np
def double(x): return 2 * x
def answer(case):
    with multiprocessing.get_context('fork').Pool(2) as pool: doubled = pool.map(double, [1, 2])
    with tempfile.TemporaryFile() as file: file.write(b'x')
    code = 'import numpy; print(numpy.arange(3).sum())'
    out = subprocess.run([sys.executable, '-c', code], capture_output=True, text=True).stdout
    thread = threading.Thread(target=double, args=(1,)); thread.start(); thread.join()
    return [doubled, out.strip(), np.linalg.inv(np.eye(2)), os.cpu_count() > 0, open('table.txt').read()]
"""
    answer = slot.answer(source)
    assert isinstance(answer, list)
    doubled, printed, inverse, cpus, table = answer
    assert doubled == [2, 4]
    assert printed == "3"
    assert np.array_equal(inverse, np.eye(2))
    assert cpus
    assert table == "visible"
