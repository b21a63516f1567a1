package org.fleetgrad.cli.elastic;

/**
 * How many workers a run may have, and when a worker pays.
 *
 * @param most  largest number of workers
 * @param share an added worker pays if it brings this share of the throughput that each of the others brings on average
 */
public record ElasticSettings(int most, double share) {}
