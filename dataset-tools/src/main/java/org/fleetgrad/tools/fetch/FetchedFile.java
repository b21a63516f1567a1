package org.fleetgrad.tools.fetch;

import java.nio.file.Path;

/**
 * A file that is there now, whole and checked.
 *
 * @param path     where it is
 * @param bytes    its length
 * @param checksum its checksum, as published
 * @param isCached whether it was there before, so that nothing was downloaded
 */
public record FetchedFile(Path path, long bytes, Checksum checksum, boolean isCached) {}
