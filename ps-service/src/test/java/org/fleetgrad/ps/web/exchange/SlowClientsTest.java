package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowClientsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private SlowClients.Memory memory = SlowClients.Memory.PLENTY;
    private boolean isReader;
    private final List<String> cuts = new ArrayList<>();
    private final SlowClients clients = new SlowClients(1000, Duration.ofSeconds(10), () -> memory, now::get);

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void shouldGoOnLookingAfterItFoundNoMemory() throws Exception {
        CountDownLatch looks = new CountDownLatch(2);
        try (SlowClients failing = new SlowClients(
                        1000,
                        Duration.ofSeconds(10),
                        () -> {
                            looks.countDown();
                            throw new OutOfMemoryError("the first time and the second");
                        },
                        System::nanoTime)
                .start()) {
            assertThat(looks.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(failing.watched()).isZero();
        }
    }

    @Test
    void shouldAskNothingOfAClientInItsFirstSeconds() {
        clients.watch(transfer(0));

        after(10);

        assertThat(cuts).isEmpty();
    }

    @Test
    void shouldCutAClientThatSendsNothing() {
        clients.watch(transfer(0));

        after(11);

        assertThat(cuts).containsExactly("0 bytes moved where 1000 were due: the minimum rate is 1000 bytes a second");
        assertThat(clients.watched()).isZero();
    }

    @Test
    void shouldLetAClientGoOnThatKeepsUp() {
        clients.watch(transfer(50_000));
        clients.watch(transfer(49_999));

        after(30);
        assertThat(cuts).isEmpty();
        after(30);

        assertThat(cuts).hasSize(1);
        assertThat(clients.watched()).isEqualTo(1);
    }

    @Test
    void shouldCutAClientThatStopsNearItsEnd() {
        // At this rate its first 90 MB would be due after 25 hours; what is ahead of 2 MiB does not count.
        clients.watch(transfer(90_000_000));
        after(11);
        after((2 << 20) / 1000);
        assertThat(cuts).isEmpty();

        after(1);

        assertThat(cuts)
                .containsExactly(
                        "90000000 bytes moved where 90000848 were due: the minimum rate is 1000 bytes a second");
    }

    @Test
    void shouldAskMoreWhileMemoryIsShort() {
        clients.watch(transfer(10_000));
        memory = SlowClients.Memory.SHORT;
        after(2);
        assertThat(cuts).isEmpty();

        after(1);
        assertThat(cuts).isEmpty();
        after(1);

        assertThat(cuts)
                .containsExactly("10000 bytes moved where 24000 were due: the minimum rate is 16000 bytes a second");
    }

    @Test
    void shouldNotAskTheHigherRateOfTheTimeBeforeMemoryWasShort() {
        clients.watch(transfer(100_000));
        after(60);

        memory = SlowClients.Memory.SHORT;
        after(3);
        assertThat(cuts).isEmpty();
        after(1);

        assertThat(cuts)
                .containsExactly("100000 bytes moved where 114000 were due: the minimum rate is 16000 bytes a second");
    }

    @Test
    void shouldCutFastReadersWhileTheNewestVersionFindsNoMemory() {
        memory = SlowClients.Memory.NONE_FOR_VERSIONS;
        clients.watch(transfer(1_000_000));
        isReader = true;
        clients.watch(transfer(1_000_000));
        after(2);
        assertThat(cuts).isEmpty();

        after(1);

        assertThat(cuts).containsExactly("the newest version gets no memory, since readers hold old ones");
        assertThat(clients.watched()).isEqualTo(1);
    }

    @Test
    void shouldForgetAClientThatIsDone() {
        SlowClients.Transfer done = transfer(0);
        clients.watch(done);
        clients.forget(done);

        after(100);

        assertThat(cuts).isEmpty();
    }

    private void after(long seconds) {
        now.addAndGet(TimeUnit.SECONDS.toNanos(seconds));
        clients.disconnectSlow();
    }

    private SlowClients.Transfer transfer(long moved) {
        boolean isHolding = isReader;
        return new SlowClients.Transfer() {
            @Override
            public long movedBytes() {
                return moved;
            }

            @Override
            public boolean isReader() {
                return isHolding;
            }

            @Override
            public void disconnect(String why) {
                cuts.add(why);
            }
        };
    }
}
