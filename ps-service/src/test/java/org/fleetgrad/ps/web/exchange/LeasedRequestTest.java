package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.ServletInputStream;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.testing.ManualClock;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

class LeasedRequestTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private final ManualClock clock = new ManualClock();
    private final Leases leases = new Leases(clock, LEASE, 10, () -> "drawn");

    @Test
    void shouldKeepTheLeaseOfAnUploadThatTakesLongerThanIt() throws Exception {
        ServletInputStream in = body(100 * LeasedRequest.RENEWAL_BYTES);
        for (int i = 0; i < 100; i++) {
            clock.advance(LEASE.dividedBy(2));
            assertThat(in.readNBytes(LeasedRequest.RENEWAL_BYTES)).hasSize(LeasedRequest.RENEWAL_BYTES);
        }

        assertThat(leases.isLive("w")).isTrue();
    }

    @Test
    void shouldNotKeepTheLeaseOfAWorkerThatDrips() throws Exception {
        ServletInputStream in = body(LeasedRequest.RENEWAL_BYTES);
        for (int i = 0; i < 30; i++) {
            clock.advance(Duration.ofSeconds(1));
            assertThat(in.read()).isZero();
        }

        assertThat(leases.isLive("w")).isFalse();
    }

    private ServletInputStream body(int bytes) throws Exception {
        leases.register(Optional.of("w"), "", "cpu", Optional.empty());
        MockHttpServletRequest plain = new MockHttpServletRequest();
        plain.setContent(new byte[bytes]);
        LeasedRequest request = new LeasedRequest(plain);
        request.renewBy(() -> leases.renew("w"));
        return request.getInputStream();
    }
}
