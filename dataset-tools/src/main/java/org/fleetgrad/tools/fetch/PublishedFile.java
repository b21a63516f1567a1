package org.fleetgrad.tools.fetch;

/**
 * One file of a published dataset.
 *
 * @param name     name below the dataset's base URL, and in the target folder
 * @param bytes    exact length
 * @param checksum pinned checksum
 */
public record PublishedFile(String name, long bytes, Checksum checksum) {}
