package org.fleetgrad.ps.web.security;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.ps.web.SecuredService;
import org.junit.jupiter.api.Test;

/** Spring believes a forwarded address where it finds itself in a cluster; every client can send that header. */
class ForwardedHeaderTest {

    @Test
    void shouldNotBelieveWhatAClientSaysOfItsAddress() {
        try (SecuredService secured =
                SecuredService.start("spring.main.cloud-platform=kubernetes", "ps.security.failures-per-minute=2")) {
            // Callers from this machine are not limited; a trusted forwarded address would be.
            assertThat(IntStream.range(0, 6)
                            .map(i -> secured.service()
                                    .send(secured.service()
                                            .json(
                                                    Routes.ISSUE_TOKEN,
                                                    "{\"accessKey\":\"reader\",\"secretKey\":\"guess-of-it\"}")
                                            .header("X-Forwarded-For", "203.0.113.9"))
                                    .statusCode()))
                    .containsOnly(401);
        }
    }
}
