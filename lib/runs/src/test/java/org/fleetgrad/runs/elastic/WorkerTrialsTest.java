package org.fleetgrad.runs.elastic;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import org.fleetgrad.runs.elastic.WorkerTrials.Decision;
import org.junit.jupiter.api.Test;

class WorkerTrialsTest {

    private static final double SHARE = 0.5;

    /** Each adds as much as the first, until the machine's cores are busy. */
    private static double cores(int workers, int cores) {
        return 1000.0 * Math.min(workers, cores);
    }

    private static List<Integer> sizes(WorkerTrials workers, IntToDoubleFunction rate, int measures) {
        List<Integer> sizes = new ArrayList<>();
        for (int i = 0; i < measures; i++) {
            sizes.add(workers.size());
            Optional<Decision> unused = workers.measured(rate.applyAsDouble(workers.size()));
        }
        return sizes;
    }

    @Test
    void shouldAddWorkersWhileEachBringsItsShare() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(8, SHARE));

        List<Integer> sizes = sizes(workers, n -> cores(n, 4), 12);

        // Up to the fifth, which brings nothing; then two measures of rest, and a try with one less.
        assertThat(sizes).containsExactly(1, 2, 2, 3, 3, 4, 4, 5, 4, 4, 4, 3);
    }

    @Test
    void shouldSayWhatAWorkerBringsAndWhatItMust() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(8, SHARE));

        assertThat(workers.measured(1000)).contains(new Decision(2, "1,000 samples/s with 1; trying 2"));
        assertThat(workers.measured(1400))
                .contains(new Decision(1, "worker 2 adds 400 samples/s; a worker is kept from 500 on"));
    }

    @Test
    void shouldStayWhereEveryWorkerPays() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(3, SHARE));

        List<Integer> sizes = sizes(workers, n -> cores(n, 16), 400);

        assertThat(sizes.subList(4, 400)).isSubsetOf(2, 3);
        assertThat(sizes.subList(4, 400).stream().filter(n -> n == 2).count()).isLessThan(20);
    }

    @Test
    void shouldDropWorkersThatPayNoMore() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(8, SHARE));
        List<Integer> before = sizes(workers, n -> cores(n, 6), 20);
        assertThat(before).contains(6);

        // Somebody else takes four of the six cores.
        List<Integer> after = sizes(workers, n -> cores(n, 2), 60);

        assertThat(after.subList(40, 60)).isSubsetOf(1, 2, 3);
    }

    @Test
    void shouldAddWorkersAgainWhenTheyPayAgain() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(4, SHARE));
        List<Integer> before = sizes(workers, n -> cores(n, 1), 20);
        assertThat(before).isSubsetOf(1, 2);

        List<Integer> after = sizes(workers, n -> cores(n, 4), 60);

        assertThat(after).contains(4);
    }

    @Test
    void shouldTryMoreAndMoreSeldomWhatWasInVain() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(8, SHARE));

        List<Integer> sizes = sizes(workers, n -> cores(n, 1), 500);

        assertThat(sizes.stream().filter(n -> n == 2).count()).isBetween(10L, 25L);
    }

    @Test
    void shouldLeaveOneAloneWhereMoreAreNotAllowed() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(1, SHARE));

        assertThat(sizes(workers, n -> 1000.0, 50)).containsOnly(1);
    }

    @Test
    void shouldNotDropTheLastWorkerOfARunThatStandsStill() {
        WorkerTrials workers = new WorkerTrials(new ElasticSettings(4, SHARE));

        assertThat(sizes(workers, n -> 0, 100)).allMatch(n -> n >= 1 && n <= 4);
    }
}
