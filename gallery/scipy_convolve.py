# The child process of the design "scipy" (scipy.c): Life by whole matrices with NumPy and SciPy.
#
#     python3 -c TEXT WIDTH HEIGHT ROLL
#
# Standard input and output are bytes. It says b"ready"; then, for each order (the number of
# generations, 8 bytes, little-endian; the cells, one byte each), it answers with the nanoseconds
# that the generations took (8 bytes) and the cells. It ends with its input.
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides when to stop

import gc
import sys
import time

import numpy
from scipy import ndimage

WIDTH, HEIGHT, ROLL = (int(argument) for argument in sys.argv[1:4])
RING = numpy.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]], dtype=numpy.uint8)
SHIFTS = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1) if (y, x) != (0, 0)]


def convolved(cells):
    return ndimage.convolve(cells, RING, mode="wrap")


def rolled(cells):
    neighbours = numpy.zeros_like(cells)
    for shift in SHIFTS:
        neighbours += numpy.roll(cells, shift, axis=(0, 1))
    return neighbours


neighbours_of = rolled if ROLL else convolved


def next_generation(cells):
    neighbours = neighbours_of(cells)
    birth = (cells == 0) & (neighbours == 3)
    survival = (cells == 1) & ((neighbours == 2) | (neighbours == 3))
    return (birth | survival).astype(numpy.uint8)


def main():
    orders, answers = sys.stdin.buffer, sys.stdout.buffer
    gc.disable()
    answers.write(b"ready")
    answers.flush()
    while True:
        order = orders.read(8)
        cells = numpy.empty((HEIGHT, WIDTH), dtype=numpy.uint8)
        if len(order) < 8 or orders.readinto(memoryview(cells).cast("B")) < cells.nbytes:
            return
        begin = time.perf_counter_ns()
        for _ in range(int.from_bytes(order, "little")):
            cells = next_generation(cells)
        took = time.perf_counter_ns() - begin
        answers.write(took.to_bytes(8, "little"))
        answers.write(memoryview(cells).cast("B"))
        answers.flush()


main()
