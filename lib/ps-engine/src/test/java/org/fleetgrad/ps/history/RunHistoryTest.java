package org.fleetgrad.ps.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RunHistoryTest {

    private final RunHistory history = new RunHistory();

    private static RunHistory.Point point(long timeMs, long version) {
        return new RunHistory.Point(
                timeMs, false, version, 32 * version, Optional.of(1.0), version, 0, 2, Map.of("applied", version));
    }

    private static RunHistory.Evaluation evaluation(long timeMs, long version) {
        return new RunHistory.Evaluation(timeMs, version, Optional.of(0.5), Optional.empty(), Optional.empty());
    }

    private List<RunHistory.Point> points() {
        return history.state().points();
    }

    @Test
    void shouldKeepEveryPointOfAShortRun() {
        for (int i = 0; i < RunHistory.MAX_POINTS; i++) {
            history.add(point(250L * i, i));
        }

        assertThat(points()).hasSize(RunHistory.MAX_POINTS);
    }

    @Test
    void shouldShowAWholeLongRunAtAnEvenResolution() {
        int given = 100_000;
        for (int i = 0; i < given; i++) {
            history.add(point(250L * i, i));
        }

        assertThat(points()).hasSizeBetween(RunHistory.MAX_POINTS / 2, RunHistory.MAX_POINTS);
        assertThat(points().get(0)).isEqualTo(point(0, 0));
        assertThat(points().get(points().size() - 1)).isEqualTo(point(250L * (given - 1), given - 1));
        long mean = 250L * given / points().size();
        assertThat(IntStream.range(1, points().size()))
                .allMatch(i -> points().get(i).timeMs() - points().get(i - 1).timeMs() <= 4 * mean);
    }

    @Test
    void shouldShowThePointsAfterANightAsCloseAsThoseBefore() {
        for (int i = 0; i <= RunHistory.MAX_POINTS; i++) {
            history.add(point(250L * i, i));
        }
        int before = points().size();
        long morning = 10L * 3600 * 1000;

        for (int i = 0; i < 400; i++) {
            history.add(point(morning + 250L * i, 5000 + i));
        }

        assertThat(points().size() - before).isGreaterThan(150);
    }

    @Test
    void shouldTakeTwoPointsForATimeInWhichNothingHappens() {
        history.add(point(0, 7));
        for (int i = 1; i < 1000; i++) {
            history.add(point(250L * i, 7));
        }
        history.add(point(300_000, 8));

        assertThat(points()).extracting(RunHistory.Point::timeMs).containsExactly(0L, 249_750L, 300_000L);
    }

    @Test
    void shouldTakeBackWhatARollbackTakesBack() {
        for (int i = 0; i < 10; i++) {
            history.add(point(i, i));
            history.add(evaluation(i, i));
        }

        history.add(point(20, 4));

        assertThat(points()).extracting(RunHistory.Point::version).containsExactly(0L, 1L, 2L, 3L, 4L, 4L);
        assertThat(history.state().evaluations())
                .extracting(RunHistory.Evaluation::version)
                .containsExactly(0L, 1L, 2L, 3L, 4L);
    }

    @Test
    void shouldMarkARollbackEvenIfTheNextPointIsPastThePlaceItLeft() {
        for (int i = 0; i < 10; i++) {
            history.add(point(i, i));
            history.add(evaluation(i, i));
        }

        history.add(new RunHistory.Rollback(15, 9, 4));
        history.add(point(20, 12));

        assertThat(points()).extracting(RunHistory.Point::version).containsExactly(0L, 1L, 2L, 3L, 4L, 12L);
        assertThat(history.state().evaluations()).hasSize(5);
        assertThat(history.state().rollbacks()).containsExactly(new RunHistory.Rollback(15, 9, 4));
    }

    @Test
    void shouldKeepTheNewestRollbacks() {
        for (int i = 0; i < RunHistory.MAX_ROLLBACKS + 3; i++) {
            history.add(new RunHistory.Rollback(i, 9, 4));
        }

        assertThat(history.state().rollbacks()).hasSize(RunHistory.MAX_ROLLBACKS);
        assertThat(history.state().rollbacks().get(0).timeMs()).isEqualTo(3);
    }

    @Test
    void shouldNotTurnAroundWhenTheClockIsSetBack() {
        history.add(point(1000, 1));
        history.add(point(400, 2));

        assertThat(points()).extracting(RunHistory.Point::timeMs).containsExactly(1000L, 1000L);
    }

    @Test
    void shouldKeepTheMarkOfAStartWhenPointsAreMerged() {
        for (int i = 0; i <= RunHistory.MAX_POINTS; i++) {
            history.add(point(250L * i, i).with(250L * i, i == 701));
        }

        assertThat(points()).hasSizeLessThan(RunHistory.MAX_POINTS);
        assertThat(points().stream().filter(RunHistory.Point::isFirst)).hasSize(1);
    }

    @Test
    void shouldGoOnWhereAnotherLifeEnded() {
        history.add(point(0, 0));
        history.add(point(250, 3));
        history.add(evaluation(300, 3));
        history.add(new RunHistory.Checkpoint(310, 1, 3));
        history.add(new RunHistory.Rollback(320, 5, 3));
        RunHistory other = new RunHistory();

        other.restore(history.state());

        assertThat(other.state()).isEqualTo(history.state());
    }

    @Test
    void shouldStayBoundedWhateverItRestores() {
        List<RunHistory.Point> many =
                IntStream.range(0, 50_000).mapToObj(i -> point(i, i)).toList();
        List<RunHistory.Evaluation> evaluations =
                IntStream.range(0, 50_000).mapToObj(i -> evaluation(i, i)).toList();
        List<RunHistory.Checkpoint> checkpoints = IntStream.range(0, 5000)
                .mapToObj(i -> new RunHistory.Checkpoint(i, i, i))
                .toList();

        history.restore(new RunHistory.State(many, evaluations, checkpoints, List.of()));

        assertThat(points()).hasSizeLessThanOrEqualTo(RunHistory.MAX_POINTS);
        assertThat(history.state().evaluations()).hasSizeLessThanOrEqualTo(RunHistory.MAX_POINTS);
        assertThat(history.state().checkpoints())
                .hasSize(RunHistory.MAX_CHECKPOINTS)
                .endsWith(new RunHistory.Checkpoint(4999, 4999, 4999));
    }

    @Test
    void shouldRefuseNumbersThatJsonDoesNotHave() {
        assertThatThrownBy(() -> new RunHistory.Point(0, false, 0, 0, Optional.of(Double.NaN), 0, 0, 0, Map.of()))
                .hasMessage("the loss of a point must be a finite number; it is NaN");
        assertThatThrownBy(() -> new RunHistory.Evaluation(
                        0, 0, Optional.of(0.5), Optional.empty(), Optional.of(Double.POSITIVE_INFINITY)))
                .hasMessage("loss must be a finite number; it is Infinity");
    }
}
