package org.fleetgrad.cli.elastic;

/**
 * How many workers a run may have, and when one of them pays.
 *
 * @param most  workers at the most
 * @param share what an added worker must bring, as a share of what one of those before it brings on average
 */
public record ElasticSettings(int most, double share) {}
