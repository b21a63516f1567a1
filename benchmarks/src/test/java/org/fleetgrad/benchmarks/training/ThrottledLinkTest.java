package org.fleetgrad.benchmarks.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import org.fleetgrad.benchmarks.exchange.LoadConnection;
import org.fleetgrad.benchmarks.exchange.LoopbackAnswer;
import org.junit.jupiter.api.Test;

class ThrottledLinkTest {

    private static final int REQUEST = 30_000;
    private static final int ANSWER = 60_000;

    @Test
    void shouldPassEveryByteBothWaysAndCountThemAndBeNoFasterThanItsRate() throws Exception {
        double bits = 8e6;
        try (LoopbackAnswer server = new LoopbackAnswer(REQUEST, ANSWER);
                ThrottledLink link = new ThrottledLink(server.address(), bits)) {
            long begin = System.nanoTime();
            assertThat(exchange(link.address())).isEqualTo(ANSWER);
            double seconds = (System.nanoTime() - begin) / 1e9;

            assertThat(link.bytesUp()).isEqualTo(REQUEST);
            assertThat(link.bytesDown()).isBetween((long) ANSWER, ANSWER + 200L);
            // Each direction may have one burst of 16 KiB without waiting.
            assertThat(seconds).isGreaterThan((REQUEST + ANSWER - 2 * 16_384) * 8 / bits);
        }
    }

    private static long exchange(URI address) throws Exception {
        byte[] request = new byte[REQUEST];
        Arrays.fill(request, (byte) 'x');
        try (LoadConnection connection = new LoadConnection(address)) {
            return connection.exchange(request);
        }
    }
}
