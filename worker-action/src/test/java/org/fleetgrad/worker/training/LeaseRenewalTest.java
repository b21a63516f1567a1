package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that takes a connection and never answers. */
class LeaseRenewalTest {

    private static final Duration LEASE = Duration.ofSeconds(30);

    @Test
    @Timeout(60)
    void shouldLetAWorkerComputeOnWhileTheServerHangs() throws IOException {
        try (ServerSocket hanging = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            ManualClock clock = new ManualClock();
            PsClient client =
                    new PsClient(URI.create("http://127.0.0.1:" + hanging.getLocalPort()), ClientOptions.DEFAULT);
            try (LeaseRenewal lease =
                    new LeaseRenewal(() -> LEASE, () -> List.of(client), clock::nanos, CallsBeside.THREADS)) {
                for (int batch = 0; batch < 100; batch++) {
                    clock.advance(LEASE);
                    lease.renewIfLate();
                }

                try (Socket asked = hanging.accept()) {
                    assertThat(asked.isConnected()).isTrue();
                }
            }
        }
    }
}
