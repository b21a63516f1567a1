package org.fleetgrad.pipeline.cut;

import java.util.Arrays;
import org.fleetgrad.pipeline.cut.BlockTimes.StageCost;

/**
 * Cuts a sequence of blocks so that the cost of the most expensive stage is minimal. This is exact: dynamic programming over
 * all cuts, in O(stages blocks^2). Among the best cuts it takes the one with the least sum of squares, so that the other
 * stages are balanced too.
 */
final class Balance {

    private Balance() {}

    /** Combines the cost of the previous stages with that of one more. */
    private interface Goal {
        double join(double before, double stage);
    }

    /**
     * Returns where each stage begins.
     *
     * @param blocks number of blocks, at least {@code stages}
     * @return for each stage, the index of its first block
     */
    static int[] starts(int blocks, int stages, StageCost cost) {
        double[][] least = new double[stages + 1][blocks + 1];
        solve(blocks, stages, cost, Math::max, least);
        double dearest = least[stages][blocks];
        StageCost limited = (stage, from, to) -> {
            double own = cost.of(stage, from, to);
            return own <= dearest ? own : Double.POSITIVE_INFINITY;
        };
        int[][] choice = solve(blocks, stages, limited, (before, own) -> before + own * own, least);
        int[] starts = new int[stages];
        int end = blocks;
        for (int stage = stages - 1; stage >= 0; stage--) {
            starts[stage] = choice[stage][end];
            end = starts[stage];
        }
        return starts;
    }

    /** Fills {@code least[s][b]} for the first s stages over the first b blocks; returns where stage s then begins. */
    private static int[][] solve(int blocks, int stages, StageCost cost, Goal goal, double[][] least) {
        int[][] choice = new int[stages][blocks + 1];
        for (double[] row : least) {
            Arrays.fill(row, Double.POSITIVE_INFINITY);
        }
        least[0][0] = 0;
        for (int stage = 0; stage < stages; stage++) {
            for (int to = stage + 1; to <= blocks; to++) {
                for (int from = stage; from < to; from++) {
                    double total = goal.join(least[stage][from], cost.of(stage, from, to));
                    if (total < least[stage + 1][to]) {
                        least[stage + 1][to] = total;
                        choice[stage][to] = from;
                    }
                }
            }
        }
        return choice;
    }
}
