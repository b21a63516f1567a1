package org.fleetgrad.openwhisk.pacing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PoolWidthTest {

    private final VirtualTime time = new VirtualTime();
    private final List<String> reported = new ArrayList<>();
    private final PoolWidth pool = new PoolWidth(time.clock(), reported::add);

    /** Admits workers 0 to 15 and lets the first four start: OpenWhisk has no memory for more. */
    private void fill() {
        for (int worker = 0; worker < 16; worker++) {
            assertThat(pool.tryEnter("w" + worker)).isTrue();
            time.sleep(Duration.ofMillis(10));
        }
        IntStream.range(0, 4).forEach(worker -> pool.started("w" + worker));
    }

    @Test
    void shouldSayHowManyWorkersFitAndAdmitNoMoreThanRun() {
        fill();
        pool.update();
        assertThat(reported).isEmpty();

        time.sleep(PoolWidth.QUEUED_AFTER);
        pool.update();
        pool.update();

        assertThat(reported).containsExactly("4 of 16 workers fit: OpenWhisk's memory for actions is full");
        pool.release("w0");
        assertThat(pool.tryEnter("w0")).as("twelve wait and three run").isFalse();
        IntStream.range(4, 16).forEach(worker -> pool.release("w" + worker));
        assertThat(pool.tryEnter("w0")).as("three run").isTrue();
        assertThat(pool.tryEnter("w4")).as("four are under way").isFalse();
    }

    @Test
    void shouldLearnTheWidthAlsoWhereOneStartsAsSoonAsAnotherEnds() {
        fill();
        for (int worker = 0; worker < 8; worker++) {
            time.sleep(Duration.ofSeconds(2));
            pool.release("w" + worker);
            pool.started("w" + (worker + 4));
            pool.update();
        }

        assertThat(reported).containsExactly("4 of 8 workers fit: OpenWhisk's memory for actions is full");
    }

    @Test
    void shouldNotCountWorkersThatAreGoneWhileTheirRecordsAreWaitedFor() {
        fill();
        time.sleep(PoolWidth.QUEUED_AFTER);
        pool.update();
        for (int worker = 0; worker < 4; worker++) {
            pool.ended("w" + worker);
            pool.started("w" + (worker + 4));
        }

        assertThat(reported).containsExactly("4 of 16 workers fit: OpenWhisk's memory for actions is full");
        assertThat(pool.isQueued("w8")).as("others run").isTrue();
    }

    @Test
    void shouldCountWorkersAgainThatAServerHadForgottenForAMoment() {
        fill();
        for (int worker = 0; worker < 4; worker++) {
            pool.ended("w" + worker);
            pool.started("w" + worker);
        }
        time.sleep(PoolWidth.QUEUED_AFTER);
        pool.update();
        IntStream.range(4, 16).forEach(worker -> pool.release("w" + worker));
        time.sleep(PoolWidth.PROBE_INTERVAL);

        assertThat(pool.tryEnter("w4")).as("all four run, so one more is tried").isTrue();
    }

    @Test
    void shouldNotTakeAColdStartForAQueue() {
        fill();
        time.sleep(PoolWidth.QUEUED_AFTER.minusSeconds(1));
        pool.started("w4");
        time.sleep(PoolWidth.QUEUED_AFTER.minusSeconds(1));
        pool.update();

        assertThat(reported).isEmpty();
        assertThat(pool.tryEnter("w16")).isTrue();
    }

    @Test
    void shouldTryOneMoreAfterAWhileAndSayWhenItFits() {
        fill();
        time.sleep(PoolWidth.QUEUED_AFTER);
        pool.update();
        IntStream.range(4, 16).forEach(worker -> pool.release("w" + worker));
        time.sleep(PoolWidth.PROBE_INTERVAL.minusSeconds(1));
        assertThat(pool.tryEnter("w4")).isFalse();

        time.sleep(Duration.ofSeconds(1));
        assertThat(pool.tryEnter("w4")).isTrue();
        assertThat(pool.tryEnter("w5")).isFalse();
        pool.started("w4");

        assertThat(reported).hasSize(2).last().isEqualTo("5 workers run now");
    }

    @Test
    void shouldTellWhatWaitsFromWhatMayBeLost() {
        fill();

        assertThat(pool.isQueued("w5")).as("others run").isTrue();
        assertThat(pool.isQueued("w0")).as("it runs itself").isFalse();
        assertThat(pool.isQueued("nobody")).isFalse();
        pool.started("w6");
        assertThat(pool.isQueued("w5")).as("a later one has started").isFalse();
        assertThat(pool.isQueued("w7")).isTrue();
        IntStream.range(0, 7).filter(worker -> worker != 5).forEach(worker -> pool.release("w" + worker));
        assertThat(pool.isQueued("w7")).as("nothing runs").isFalse();
    }

    @Test
    void shouldNotJudgeWhereNothingRuns() {
        assertThat(pool.tryEnter("a")).isTrue();
        time.sleep(Duration.ofMinutes(10));

        assertThat(pool.tryEnter("b")).isTrue();
        assertThat(reported).isEmpty();
    }
}
