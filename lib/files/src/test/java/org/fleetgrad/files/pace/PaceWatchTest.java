package org.fleetgrad.files.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.files.pace.PaceWatch.Watched;
import org.junit.jupiter.api.Test;

class PaceWatchTest {

    private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);
    private final AtomicInteger ended = new AtomicInteger();
    private final PaceWatch watch = new PaceWatch(time::get);

    @Test
    void shouldEndAnExchangeOnceThatIsStillForTooLong() {
        Watched watched = watch.begin(Duration.ofSeconds(60), ended::incrementAndGet);
        pass(60);
        assertThat(watched.isEnded()).isFalse();

        pass(1);
        pass(1);

        assertThat(watched.isEnded()).isTrue();
        assertThat(ended).hasValue(1);
        assertThatThrownBy(() -> watched.pace().require())
                .hasMessage("only 0 bytes moved in 62 s, below 8192 a second");
    }

    @Test
    void shouldEndAnExchangeThatSendsAByteNowAndThen() {
        Watched watched = watch.begin(Duration.ofSeconds(60), ended::incrementAndGet);

        for (int second = 0; second < 62; second++) {
            watched.pace().moved(1);
            pass(1);
        }

        assertThat(watched.isEnded()).isTrue();
    }

    @Test
    void shouldLetASlowLineGoOnForHours() {
        try (Watched watched = watch.begin(Duration.ofSeconds(60), ended::incrementAndGet)) {
            for (int second = 0; second < 10_000; second++) {
                watched.pace().moved(Pace.FLOOR);
                pass(1);
            }

            assertThat(watched.isEnded()).isFalse();
            assertThatCode(watched.pace()::require).doesNotThrowAnyException();
            pass(60);
            assertThat(watched.isEnded()).isFalse();
            pass(1);
            assertThat(watched.isEnded()).isTrue();
        }
    }

    @Test
    void shouldForgetAnExchangeThatIsOver() {
        watch.begin(Duration.ofSeconds(60), ended::incrementAndGet).close();

        pass(1000);

        assertThat(ended).hasValue(0);
    }

    private void pass(int seconds) {
        time.addAndGet(Duration.ofSeconds(seconds).toNanos());
        watch.look();
    }
}
