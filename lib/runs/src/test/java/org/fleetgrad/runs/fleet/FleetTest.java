package org.fleetgrad.runs.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.fleetgrad.runs.invoker.ActivationOutcome;
import org.fleetgrad.runs.invoker.ActivationOutcome.Answered;
import org.fleetgrad.runs.invoker.ActivationOutcome.Course;
import org.fleetgrad.runs.invoker.ActivationOutcome.Failed;
import org.fleetgrad.runs.invoker.ActivationOutcome.Killed;
import org.fleetgrad.runs.invoker.Invoker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

@Timeout(60)
class FleetTest {

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<Long> pauses = new CopyOnWriteArrayList<>();

    /** Returns scripted outcomes, one after the other. */
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
        public ActivationOutcome invoke(String worker) throws IOException {
            invocations++;
            Object end = ends.size() == 1 ? ends.getFirst() : ends.removeFirst();
            if (end instanceof IOException lost) {
                throw lost;
            }
            return (ActivationOutcome) end;
        }
    }

    private static ActivationOutcome answered(String work, int samples) {
        return new Answered(
                JsonMapper.shared().readTree("{\"work\":\"%s\",\"samples\":%d}".formatted(work, samples)),
                new Course("", false, 2));
    }

    private static ActivationOutcome killed() {
        return new Killed("worker-1 was killed", new Course("", true, 60));
    }

    private final ActivationLog log = new ActivationLog(System::nanoTime);

    private Fleet fleet(Invoker... workers) {
        return new Fleet(List.of(workers), log, new WorkerIds(), told::add, pause -> pauses.add(pause.toMillis()));
    }

    private Fleet ran(Invoker... workers) {
        Fleet fleet = fleet(workers);
        fleet.start(workers.length);
        await(() -> !fleet.isWorking());
        return fleet;
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }

    /** Responds when the test releases it, and reports its outcome. */
    private static final class Stepped implements Invoker {

        private final Semaphore let = new Semaphore(0);
        private final AtomicInteger begun = new AtomicInteger();
        private final AtomicInteger released = new AtomicInteger();
        private final List<String> ids = new CopyOnWriteArrayList<>();

        @Override
        public String name() {
            return "stepped";
        }

        @Override
        public ActivationOutcome invoke(String worker) throws InterruptedException {
            ids.add(worker);
            begun.incrementAndGet();
            let.acquire();
            return answered("more", 10);
        }

        @Override
        public void release() {
            released.incrementAndGet();
        }
    }

    @Test
    void shouldEndWithItsActivationAndFreeWhatItHoldsWhereAWorkerIsDropped() {
        Stepped first = new Stepped();
        Stepped second = new Stepped();
        Fleet fleet = fleet(first, second);
        fleet.start(2);
        await(() -> first.begun.get() == 1 && second.begun.get() == 1);

        fleet.resize(1);
        second.let.release();
        await(() -> second.released.get() == 1);
        first.let.release();
        await(() -> first.begun.get() == 2);

        assertThat(second.begun).hasValue(1);
        assertThat(first.released).hasValue(0);
        assertThat(log.sum("samples")).isEqualTo(20);
        fleet.resize(0);
        first.let.release(100);
        await(() -> !fleet.isWorking());
    }

    @Test
    void shouldSetAWorkerToWorkAgainWhereItIsWantedAgain() {
        Stepped first = new Stepped();
        Stepped second = new Stepped();
        Fleet fleet = fleet(first, second);
        fleet.start(1);
        await(() -> first.begun.get() == 1);
        assertThat(second.begun).hasValue(0);

        fleet.resize(2);
        await(() -> second.begun.get() == 1);
        fleet.resize(1);
        fleet.resize(2);
        second.let.release();
        await(() -> second.begun.get() == 2);

        assertThat(first.ids).doesNotContainAnyElementsOf(second.ids);
        fleet.pause();
        first.let.release(100);
        second.let.release(100);
        await(() -> !fleet.isWorking());
        assertThat(second.released).hasValue(0);
    }

    @Test
    void shouldBeginNothingWhereItIsPausedAndResized() {
        Stepped first = new Stepped();
        Fleet fleet = fleet(first);

        fleet.resize(1);

        assertThat(fleet.isWorking()).isFalse();
        assertThat(first.begun).hasValue(0);
    }

    @Test
    void shouldInvokeUntilNothingIsLeft() {
        Scripted worker = new Scripted(answered("more", 100), answered("more", 100), answered("done", 50));

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(3);
        assertThat(fleet.failure()).isEmpty();
        assertThat(log.sum("samples")).isEqualTo(250);
    }

    @Test
    void shouldLookAgainWhereOthersHaveAllThatIsLeft() {
        Fleet unused = ran(new Scripted(answered("wait", 0), answered("wait", 0), answered("done", 10)));

        assertThat(pauses).containsExactly(100L, 100L);
        assertThat(log.count()).isEqualTo(1);
    }

    @Test
    void shouldSayOnceThatALimitLeavesNoTimeToTrainAndCountWhatThatCosts() {
        Fleet fleet = ran(new Scripted(
                answered("more", 0),
                answered("more", 0),
                answered("more", 10),
                answered("more", 0),
                answered("done", 5)));

        assertThat(fleet.failure()).isEmpty();
        assertThat(told)
                .containsExactly(
                        "an activation of worker-1 ended after 2.0 s without a batch, since its limit may leave no time for one; a longer --activation-limit avoids that");
        assertThat(pauses).containsExactly(200L, 400L, 200L);
        assertThat(log.count()).isEqualTo(5);
        assertThat(log.seconds()).isEqualTo(10);
    }

    @Test
    void shouldEndTheRunWhereNoActivationOfAWorkerHasTimeToTrain() {
        Scripted worker = new Scripted(answered("more", 0));

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(5);
        assertThat(fleet.failure()).hasValueSatisfying(failed -> {
            assertThat(failed).hasMessageEndingWith("; 5 in a row did: pass a longer --activation-limit");
            assertThat(failed.isInput()).isTrue();
        });
    }

    /** Has capacity only when the test grants it. */
    private static final class Crowded implements Invoker {

        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger begun = new AtomicInteger();
        private volatile boolean hasRoom;

        @Override
        public String name() {
            return "crowded";
        }

        @Override
        public boolean mayInvoke() {
            asked.incrementAndGet();
            return hasRoom;
        }

        @Override
        public ActivationOutcome invoke(String worker) {
            begun.incrementAndGet();
            return answered("done", 10);
        }
    }

    @Test
    void shouldInvokeNothingWithoutRoomAndEndWithTheWork() {
        Crowded crowded = new Crowded();
        Stepped running = new Stepped();
        Scripted last = new Scripted(answered("done", 10));
        Fleet fleet = fleet(crowded, running, last);
        fleet.start(2);
        await(() -> crowded.asked.get() > 3 && running.begun.get() == 1);
        assertThat(fleet.isWorking()).isTrue();

        fleet.resize(3);
        await(() -> log.count() == 1);
        fleet.resize(1);
        running.let.release(100);
        await(() -> !fleet.isWorking());

        assertThat(crowded.begun).hasValue(0);
    }

    @Test
    void shouldInvokeOnceThereIsRoom() {
        Crowded crowded = new Crowded();
        Fleet fleet = fleet(crowded);
        fleet.start(1);
        await(() -> crowded.asked.get() > 3);

        crowded.hasRoom = true;
        await(() -> !fleet.isWorking());

        assertThat(crowded.begun).hasValue(1);
    }

    @Test
    void shouldGoOnAfterActivationsThatWereKilledOrFailed() {
        Fleet fleet = ran(new Scripted(
                killed(),
                new Failed("the server is away", false, new Course("", false, 1)),
                new IOException("no container"),
                answered("more", 10),
                killed(),
                answered("done", 10)));

        assertThat(fleet.failure()).isEmpty();
        assertThat(log.count()).isEqualTo(5);
        assertThat(log.killed()).isEqualTo(2);
        assertThat(log.cold()).isEqualTo(2);
        assertThat(log.seconds()).isEqualTo(60 + 1 + 2 + 60 + 2);
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
        Scripted worker = new Scripted(new Failed("worker-1 failed: no such shard", true, new Course("", true, 1)));

        Fleet fleet = ran(worker);

        assertThat(worker.invocations).isEqualTo(1);
        assertThat(fleet.failure())
                .hasValueSatisfying(failed -> assertThat(failed).hasMessage("worker-1 failed: no such shard"));
    }
}
