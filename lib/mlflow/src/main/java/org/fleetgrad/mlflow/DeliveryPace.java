package org.fleetgrad.mlflow;

import java.time.Duration;

/**
 * How often a server is asked.
 *
 * @param batch      from one batch to the next while a run trains
 * @param firstPause after a failed request; grows to the longest
 * @param longest    pause after a failed request
 * @param timeout    of a request
 */
record DeliveryPace(Duration batch, Duration firstPause, Duration longest, Duration timeout) {

    static final DeliveryPace USUAL = new DeliveryPace(
            Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(10));
}
