package org.fleetgrad.files.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.files.transfer.StalledTransferMonitor.Transfer;
import org.junit.jupiter.api.Test;

class StalledTransferMonitorTest {

    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger ended = new AtomicInteger();
    private final StalledTransferMonitor monitor = new StalledTransferMonitor(time::get);

    @Test
    void shouldEndAnExchangeOnceThatIsStillForTooLong() {
        Transfer transfer = monitor.begin(Duration.ofSeconds(60), ended::incrementAndGet);
        pass(60);
        assertThat(transfer.isEnded()).isFalse();

        pass(1);
        pass(1);

        assertThat(transfer.isEnded()).isTrue();
        assertThat(ended).hasValue(1);
        assertThatThrownBy(() -> transfer.rate().require())
                .hasMessage("only 0 bytes moved in 62 s, below 8192 a second");
    }

    @Test
    void shouldEndAnExchangeThatSendsAByteNowAndThen() {
        Transfer transfer = monitor.begin(Duration.ofSeconds(60), ended::incrementAndGet);

        for (int second = 0; second < 62; second++) {
            transfer.rate().count(1);
            pass(1);
        }

        assertThat(transfer.isEnded()).isTrue();
    }

    @Test
    void shouldLetASlowLineGoOnForHours() {
        try (Transfer transfer = monitor.begin(Duration.ofSeconds(60), ended::incrementAndGet)) {
            for (int second = 0; second < 10_000; second++) {
                transfer.rate().count(TransferRate.FLOOR);
                pass(1);
            }

            assertThat(transfer.isEnded()).isFalse();
            assertThatCode(transfer.rate()::require).doesNotThrowAnyException();
            pass(60);
            assertThat(transfer.isEnded()).isFalse();
            pass(1);
            assertThat(transfer.isEnded()).isTrue();
        }
    }

    @Test
    void shouldForgetAnExchangeThatIsOver() {
        monitor.begin(Duration.ofSeconds(60), ended::incrementAndGet).close();

        pass(1000);

        assertThat(ended).hasValue(0);
    }

    private void pass(int seconds) {
        time.addAndGet(Duration.ofSeconds(seconds).toNanos());
        monitor.check();
    }
}
