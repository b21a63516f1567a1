package org.fleetgrad.ps;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * The minimum rate of clients that send or read tensors; a slower one is disconnected. While the server refuses other clients
 * for lack of memory, the rate is sixteen times as high and the grace period a quarter.
 *
 * @param rate     minimum bytes a second after the grace period
 * @param gracePeriod time before the rate is enforced
 */
public record SlowClientProperties(
        @DefaultValue("16KB") DataSize rate,
        @DefaultValue("10s") Duration gracePeriod) {

    /** Checks the values that the types allow but the server does not. */
    public SlowClientProperties {
        if (rate.toBytes() < 1) {
            throw new IllegalArgumentException(
                    "ps.slow-client.rate is %s; write 1B or more, such as 16KB".formatted(rate));
        }
        if (gracePeriod.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "ps.slow-client.grace-period is %s; write 100ms or more, such as 10s".formatted(gracePeriod));
        }
    }
}
