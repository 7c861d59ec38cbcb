"""Files are written whole, and only where a file may stand."""

import os

import pytest

from verifier.files import create, read_regular, refusal, write


def test_what_is_no_regular_file_is_never_replaced(tmp_path):
    fifo, link, dangling, folder = (tmp_path / name for name in ("fifo", "link", "dangling", "folder"))
    target = tmp_path / "target"
    target.write_bytes(b"old")
    os.mkfifo(fifo)
    link.symlink_to(target)
    dangling.symlink_to(tmp_path / "nowhere")
    folder.mkdir()
    for path in (fifo, link, dangling, folder, tmp_path / "no" / "such", tmp_path / ("x" * 300)):
        assert refusal(path)
        with pytest.raises(OSError):  # noqa: PT011 - whatever the system calls it
            write(path, b"new")
    assert target.read_bytes() == b"old"
    assert link.is_symlink()
    assert fifo.is_fifo()


def test_a_read_only_file_stays_and_modes_are_kept(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(OSError, match="read-only"):
        write(path, b"new")
    path.chmod(0o640)
    write(path, b"new")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"new", 0o640)


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_is_created_is_never_one_that_stood_there(tmp_path, monkeypatch, links):
    if not links:
        monkeypatch.setattr(os, "link", lambda *_: (_ for _ in ()).throw(PermissionError(1, "no links here")))
    path = tmp_path / "file"
    create(path, b"first")
    create(path, b"second")
    assert read_regular(path) == b"first"
    assert [found.name for found in tmp_path.iterdir()] == ["file"]


def test_the_longest_name_is_long_enough(tmp_path):
    path = tmp_path / ("x" * 255)
    write(path, b"new")
    assert path.read_bytes() == b"new"
