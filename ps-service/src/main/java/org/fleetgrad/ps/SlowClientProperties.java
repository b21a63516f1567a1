package org.fleetgrad.ps;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * What is asked of clients that send or read tensors; one that is slower loses its connection. Sixteen times the rate and a
 * quarter of the patience hold while the server turns others away for want of memory.
 *
 * @param rate     least bytes a second after the patience
 * @param patience time in which nothing is asked
 */
public record SlowClientProperties(
        @DefaultValue("16KB") DataSize rate,
        @DefaultValue("10s") Duration patience) {

    /** Checks the values that the types allow but the server does not. */
    public SlowClientProperties {
        if (rate.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "ps.slow-client.rate is %s; write 1B or more, such as 16KB".formatted(rate));
        }
        if (patience.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "ps.slow-client.patience is %s; write 100ms or more, such as 10s".formatted(patience));
        }
    }
}
