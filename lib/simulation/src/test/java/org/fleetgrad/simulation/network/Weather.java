package org.fleetgrad.simulation.network;

import java.time.Duration;

/**
 * What a network does to messages.
 *
 * @param loss      probability that a request or its response is lost
 * @param cut       probability that a connection breaks off within a request
 * @param copy      probability that a request arrives once more, later
 * @param mostDelay longest usual delay of a message
 */
public record Weather(double loss, double cut, double copy, Duration mostDelay) {

    /** Nothing is lost. */
    public static final Weather CALM = new Weather(0, 0, 0, Duration.ofMillis(5));
}
