package org.fleetgrad.reports;

/**
 * A change of the number of workers.
 *
 * @param seconds since the first activation
 * @param workers wanted number of workers from then on
 * @param reason  the reason
 */
public record FleetChange(double seconds, int workers, String reason) {}
