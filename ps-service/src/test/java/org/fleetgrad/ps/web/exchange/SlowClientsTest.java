package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SlowClientsTest {

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final AtomicBoolean isShort = new AtomicBoolean();
    private final List<String> cuts = new ArrayList<>();
    private final SlowClients clients = new SlowClients(1000, Duration.ofSeconds(10), isShort::get, 2, now::get);

    @AfterEach
    void close() {
        clients.close();
    }

    @Test
    void shouldLetOnlyAFewThreadsWait() {
        assertThat(clients.tryTakeThread()).isTrue();
        assertThat(clients.tryTakeThread()).isTrue();
        assertThat(clients.tryTakeThread()).isFalse();

        clients.giveBackThread();

        assertThat(clients.tryTakeThread()).isTrue();
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

        assertThat(cuts).containsExactly("0 bytes moved where 1001 were due: the least rate is 1000 bytes a second");
        assertThat(clients.watched()).isZero();
    }

    @Test
    void shouldLetAClientGoOnThatKeepsUp() {
        clients.watch(transfer(50_001));
        clients.watch(transfer(49_999));

        after(60);

        assertThat(cuts).hasSize(1);
        assertThat(clients.watched()).isEqualTo(1);
    }

    @Test
    void shouldBeFourTimesAsStrictWhileMemoryIsShort() {
        clients.watch(transfer(3_000));
        after(5);
        assertThat(cuts).isEmpty();

        isShort.set(true);
        clients.look();

        assertThat(cuts)
                .containsExactly("3000 bytes moved where 10001 were due: the least rate is 4000 bytes a second");
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
        clients.look();
    }

    private SlowClients.Transfer transfer(long moved) {
        long begun = now.get();
        return new SlowClients.Transfer() {
            @Override
            public long begunNanos() {
                return begun;
            }

            @Override
            public long movedBytes() {
                return moved;
            }

            @Override
            public void cut(String why) {
                cuts.add(why);
            }
        };
    }
}
