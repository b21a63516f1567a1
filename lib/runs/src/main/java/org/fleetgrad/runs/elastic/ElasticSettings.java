package org.fleetgrad.runs.elastic;

/**
 * How many workers a run may have, and when a worker is worth keeping.
 *
 * @param most  largest number of workers
 * @param share an added worker is worth keeping if it adds this share of the average throughput of the others
 */
public record ElasticSettings(int most, double share) {}
