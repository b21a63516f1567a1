package org.fleetgrad.ps.membership;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.ps.membership.Leases.Registration;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;

class LeasesTest {

    private static final Duration LENGTH = Duration.ofSeconds(10);
    private static final int CAPACITY = 1000;
    private static final Duration ALMOST = LENGTH.minusMillis(1);

    private final ManualClock clock = new ManualClock();
    private final Deque<String> ids = new ArrayDeque<>(List.of("drawn-1", "drawn-2"));
    private final Leases leases = new Leases(clock, LENGTH, CAPACITY, ids::remove);

    @Test
    void shouldGrantTheWantedId() {
        Optional<Instant> deadline = Optional.of(clock.instant().plusSeconds(60));

        Registration registration =
                leases.register(Optional.of("a"), "LeNet", "gpu0", deadline, Optional.empty(), Optional.empty());

        assertThat(registration)
                .isEqualTo(new Registration.Granted(
                        new Worker(
                                "a",
                                "LeNet",
                                "gpu0",
                                deadline,
                                clock.instant().plus(LENGTH),
                                Optional.empty(),
                                Optional.empty()),
                        Optional.empty()));
        assertThat(leases.length()).isEqualTo(LENGTH);
    }

    @Test
    void shouldTakeNoMoreWorkersThanItsCapacityUntilALeaseEnds() {
        for (int worker = 0; worker < CAPACITY; worker++) {
            registered(Optional.of("w" + worker));
        }

        assertThat(leases.register(
                        Optional.of("more"), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty()))
                .isEqualTo(new Registration.Full(CAPACITY));
        assertThat(leases.register(Optional.of("w0"), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty()))
                .isInstanceOf(Registration.Taken.class);

        clock.advance(ALMOST);
        assertThat(leases.renew("w0")).isTrue();
        clock.advance(LENGTH.minus(ALMOST));
        assertThat(registered(Optional.of("more"))).isEqualTo("more");
        assertThat(leases.liveIds()).containsExactlyInAnyOrder("w0", "more");
    }

    @Test
    void shouldDrawAnIdForAWorkerThatBringsNone() {
        assertThat(registered(Optional.empty())).isEqualTo("drawn-1");
        assertThat(registered(Optional.empty())).isEqualTo("drawn-2");
        assertThat(leases.liveIds()).containsExactlyInAnyOrder("drawn-1", "drawn-2");
    }

    @Test
    void shouldRefuseAnIdWhoseLeaseRunsAndNameItsHolder() {
        register("a");
        Worker holder = leases.live().get(0);
        clock.advance(ALMOST);

        Registration second = leases.register(
                Optional.of("a"), "another", "cpu", Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(second).isEqualTo(new Registration.Taken(holder));
        assertThat(leases.live()).containsExactly(holder);
    }

    @Test
    void shouldGiveTheSameActivationItsPlaceAtOnceAndSayHowLongAgoItBegan() {
        assertThat(activation("id-1"))
                .isInstanceOfSatisfying(
                        Registration.Granted.class,
                        first -> assertThat(first.earlier()).isEmpty());
        clock.advance(Duration.ofSeconds(3));

        assertThat(activation("id-2")).isInstanceOf(Registration.Taken.class);
        assertThat(activation("id-1")).isInstanceOfSatisfying(Registration.Granted.class, again -> {
            assertThat(again.earlier()).contains(Duration.ofSeconds(3));
            assertThat(again.worker().leaseEnd()).isEqualTo(clock.instant().plus(LENGTH));
        });
        assertThat(leases.live()).hasSize(1);
    }

    @Test
    void shouldCountFromTheNewBeginningOnceAnActivationHasLeft() {
        activation("id-1");
        leases.unregister("a");
        clock.advance(Duration.ofSeconds(3));

        assertThat(activation("id-1"))
                .isInstanceOfSatisfying(
                        Registration.Granted.class,
                        first -> assertThat(first.earlier()).isEmpty());
    }

    private Registration activation(String activation) {
        return leases.register(
                Optional.of("a"), "", "cpu", Optional.empty(), Optional.of(activation), Optional.empty());
    }

    @Test
    void shouldEndALeaseAtItsEndWhetherSweptOrNot() {
        register("a");
        clock.advance(ALMOST);
        assertThat(leases.isLive("a")).isTrue();

        clock.advance(Duration.ofMillis(1));

        assertThat(leases.isLive("a")).isFalse();
        assertThat(leases.live()).isEmpty();
        assertThat(leases.liveIds()).isEmpty();
        assertThat(leases.renew("a")).isFalse();
        assertThat(leases.isLive("a")).as("too late to renew").isFalse();
    }

    @Test
    void shouldRenewFromTheCallOn() {
        register("a");
        clock.advance(ALMOST);
        assertThat(leases.renew("a")).isTrue();
        clock.advance(ALMOST);

        assertThat(leases.isLive("a")).isTrue();
        assertThat(leases.renew("nobody")).isFalse();
    }

    @Test
    void shouldExpireEachWorkerOnce() {
        register("a");
        clock.advance(Duration.ofSeconds(5));
        register("b");
        assertThat(leases.expire()).isEmpty();
        clock.advance(Duration.ofSeconds(5));

        assertThat(leases.expire()).extracting(Worker::id).containsExactly("a");
        assertThat(leases.expire()).isEmpty();
        assertThat(leases.live()).extracting(Worker::id).containsExactly("b");
    }

    @Test
    void shouldGrantAnIdAgainAfterItsLease() {
        register("a");
        clock.advance(LENGTH);

        assertThat(registered(Optional.of("a"))).isEqualTo("a");

        assertThat(leases.isLive("a")).isTrue();
        assertThat(leases.expire()).as("the new lease is not the old one").isEmpty();
    }

    @Test
    void shouldUnregisterOnlyALeaseThatRuns() {
        register("a");
        register("b");

        assertThat(leases.unregister("a")).isTrue();
        assertThat(leases.unregister("a")).isFalse();
        clock.advance(LENGTH);
        assertThat(leases.unregister("b")).isFalse();
    }

    @Test
    void shouldSortTheLive() {
        register("c");
        register("a");
        register("b");

        assertThat(leases.live()).extracting(Worker::id).containsExactly("a", "b", "c");
    }

    @Test
    void shouldGrantAnIdToOneOfManyThatWantIt() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            for (int round = 0; round < 200; round++) {
                String id = "w" + round;
                List<Future<Registration>> answers = new ArrayList<>();
                for (int i = 0; i < 8; i++) {
                    answers.add(threads.submit(() -> leases.register(
                            Optional.of(id), "", "cpu", Optional.empty(), Optional.empty(), Optional.empty())));
                }
                int granted = 0;
                for (Future<Registration> answer : answers) {
                    granted += answer.get() instanceof Registration.Granted ? 1 : 0;
                }
                assertThat(granted).isEqualTo(1);
            }
        } finally {
            threads.shutdown();
        }
    }

    private void register(String id) {
        assertThat(registered(Optional.of(id))).isEqualTo(id);
    }

    private String registered(Optional<String> wanted) {
        Registration registration =
                leases.register(wanted, "", "cpu", Optional.empty(), Optional.empty(), Optional.empty());
        assertThat(registration).isInstanceOf(Registration.Granted.class);
        return ((Registration.Granted) registration).worker().id();
    }
}
