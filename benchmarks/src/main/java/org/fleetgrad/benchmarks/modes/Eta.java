package org.fleetgrad.benchmarks.modes;

import java.util.List;

/** Estimates the remaining time of a run of many cells, from the mean duration of cells of the same kind. */
final class Eta {

    private final double[] seconds = new double[2];
    private final int[] cells = new int[2];

    void add(Cell cell, double took) {
        seconds[kind(cell)] += took;
        cells[kind(cell)]++;
    }

    /** Returns the estimated seconds for {@code left}; 0 before the first cell is done. */
    double seconds(List<Cell> left) {
        return left.stream().mapToDouble(cell -> mean(kind(cell))).sum();
    }

    private double mean(int kind) {
        int known = cells[kind] > 0 ? kind : 1 - kind;
        return cells[known] == 0 ? 0 : seconds[known] / cells[known];
    }

    private static int kind(Cell cell) {
        return cell.isKilling() ? 1 : 0;
    }
}
