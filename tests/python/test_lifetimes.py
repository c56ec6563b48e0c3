"""Memory: answers outlive what they were made of, nothing leaks, threads and forks."""

import gc
import multiprocessing
import os
import threading
import weakref

import numpy as np
import pytest

import lamella
from conftest import box


def test_arrays_keep_their_answer_alive(hand, phone):
    expected = lamella.intersect(hand, phone).spans.copy()
    spans = lamella.intersect(hand, phone).spans
    gc.collect()
    _ = [np.ones(100000) for _ in range(10)]
    assert np.array_equal(spans, expected)
    positions = lamella.model("hand").positions
    gc.collect()
    assert np.array_equal(positions, hand.positions)


def test_answers_outlive_their_input():
    vertices, faces = box()
    overlap = lamella.intersect((vertices, faces), box((0.5, 0, 0), (1.5, 1, 1)))
    gone = weakref.ref(vertices)
    del vertices, faces
    gc.collect()
    assert gone() is None and overlap.volume == pytest.approx(0.5)


def test_positions_of_a_mesh_can_be_written():
    mesh = lamella.Mesh(*box())
    mesh.positions[:] *= 2
    assert mesh.volume == pytest.approx(8)


def resident_kib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


def test_nothing_leaks():
    detector = lamella.Detector(resolution=8)
    a, b = box(), box((0.5, 0.5, 0.5), (1.5, 1.5, 1.5))
    wide = (b[0].astype(float), b[1].astype(np.int64))
    points = np.random.default_rng(1).uniform(0, 1, (10, 3)).astype(np.float32)

    def call():
        overlap = detector.intersect(a, wide)
        _ = overlap.spans, overlap.health.ok, overlap.centroid, overlap.bounds, overlap.verdict, overlap.doubts
        _ = detector.contains(a, points).inside
        try:
            detector.intersect(a, 3)
        except TypeError:
            pass

    for _ in range(2000):
        call()
    gc.collect()
    before = resident_kib()
    for _ in range(100000 // 3):
        call()
    gc.collect()
    assert resident_kib() - before < 2048


def test_one_off_queries_on_several_threads_leave_nothing():
    a, b = box(), box((0.5, 0.5, 0.5), (1.5, 1.5, 1.5))

    def calls(count):
        for _ in range(count):
            lamella.intersect(a, b, threads=2, resolution=16, engine="software")
        gc.collect()

    calls(500)
    before = resident_kib()
    calls(3000)
    assert resident_kib() - before < 2048


def test_threads_share_a_detector(hand, phone):
    detector = lamella.Detector(resolution=64, threads=1)
    expected = detector.intersect(hand, phone).volume
    apart = lamella.transformed(phone, (5, 0, 0))
    wrong = []

    def work(mesh, volume):
        for _ in range(50):
            if detector.intersect(hand, mesh).volume != volume:
                wrong.append(mesh)

    threads = [threading.Thread(target=work, args=args) for args in [(phone, expected), (apart, 0.0)] * 2]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong


def test_other_threads_run_during_a_query():
    mesh = lamella.model("serpent", 200000)
    ticks, stop = [], threading.Event()

    def tick():
        while not stop.wait(0.001):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    lamella.self_intersect(mesh, resolution=2048, keep_spans=False)
    during = len(ticks)
    stop.set()
    thread.join()
    assert during > 3


def in_child(queue):
    queue.put(lamella.intersect(box(), box((0.5, 0, 0), (1.5, 1, 1)), resolution=512).volume)


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_child_processes(method):
    lamella.intersect(box(), box((0.5, 0, 0), (1.5, 1, 1)), resolution=512)  # threads are started before the fork
    context = multiprocessing.get_context(method)
    queue = context.Queue()
    child = context.Process(target=in_child, args=(queue,))
    child.start()
    assert queue.get(timeout=60) == pytest.approx(0.5)
    child.join(60)
    assert child.exitcode == 0
