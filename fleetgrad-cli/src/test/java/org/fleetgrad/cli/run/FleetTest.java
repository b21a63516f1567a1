package org.fleetgrad.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.fleetgrad.cli.run.ActivationEnd.Answered;
import org.fleetgrad.cli.run.ActivationEnd.Failed;
import org.fleetgrad.cli.run.ActivationEnd.Killed;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

@Timeout(30)
class FleetTest {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<Long> pauses = new CopyOnWriteArrayList<>();

    /** Ends as it is told, one after the other. */
    private static final class Scripted implements Invoker {

        private final Deque<Object> ends;
        private int invocations;

        Scripted(Object... ends) {
            this.ends = new ArrayDeque<>(List.of(ends));
        }

        @Override
        public String name() {
            return "worker-1";
        }

        @Override
        public void init() {}

        @Override
        public ActivationEnd invoke() throws IOException {
            invocations++;
            Object end = ends.size() == 1 ? ends.getFirst() : ends.removeFirst();
            if (end instanceof IOException lost) {
                throw lost;
            }
            return (ActivationEnd) end;
        }
    }

    private static ActivationEnd answered(String work, int samples) {
        return new Answered(
                JsonMapper.shared().readTree("{\"work\":\"%s\",\"samples\":%d}".formatted(work, samples)), false, 2);
    }

    private static ActivationEnd killed() {
        return new Killed("worker-1 was killed", true, 60);
    }

    private Fleet ran(Invoker... workers) {
        Fleet fleet = new Fleet(List.of(workers), told::add, pauses::add);
        fleet.start();
        while (fleet.isWorking()) {
            Thread.onSpinWait();
        }
        return fleet;
    }

    @Test
    void shouldInvokeUntilNothingIsLeft() {
        Scripted worker = new Scripted(answered("more", 100), answered("more", 100), answered("done", 50));

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(3);
        assertThat(fleet.failure()).isEmpty();
        assertThat(fleet.log().sum("samples")).isEqualTo(250);
    }

    @Test
    void shouldLookAgainWhereOthersHaveAllThatIsLeft() {
        Fleet fleet = ran(new Scripted(answered("wait", 0), answered("wait", 0), answered("done", 10)));

        assertThat(pauses).containsExactly(100L, 100L);
        assertThat(fleet.log().count()).isEqualTo(1);
    }

    @Test
    void shouldGoOnAfterActivationsThatWereKilledOrFailed() {
        Fleet fleet = ran(new Scripted(
                killed(),
                new Failed("the server is away", false, false, 1),
                new IOException("no container"),
                answered("more", 10),
                killed(),
                answered("done", 10)));

        assertThat(fleet.failure()).isEmpty();
        assertThat(fleet.log().count()).isEqualTo(5);
        assertThat(fleet.log().killed()).isEqualTo(2);
        assertThat(fleet.log().cold()).isEqualTo(2);
        assertThat(fleet.log().seconds()).isEqualTo(60 + 1 + 2 + 60 + 2);
        assertThat(told)
                .containsExactly(
                        "worker-1 was killed",
                        "the server is away",
                        "a worker was lost: no container",
                        "worker-1 was killed");
        assertThat(pauses).containsExactly(200L, 400L, 800L, 200L);
    }

    @Test
    void shouldEndTheRunWhereAWorkerOnlyEverFails() {
        Scripted worker = new Scripted(killed());

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(5);
        assertThat(fleet.failure())
                .hasValueSatisfying(failed ->
                        assertThat(failed).hasMessage("worker-1 was killed; 5 times in a row without success"));
    }

    @Test
    void shouldEndTheRunAtOnceWhereAnotherTryWouldMeetTheSame() {
        Scripted worker = new Scripted(new Failed("worker-1 failed: no such shard", true, true, 1));

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(1);
        assertThat(fleet.failure())
                .hasValueSatisfying(failed -> assertThat(failed).hasMessage("worker-1 failed: no such shard"));
    }
}
