package org.fleetgrad.tools.fetch;

import java.nio.file.Path;

/**
 * A complete file whose checksum is right.
 *
 * @param path     of the file
 * @param bytes    its length
 * @param checksum its checksum, as published
 * @param isCached whether it existed already, so that nothing was downloaded
 */
public record FetchedFile(Path path, long bytes, Checksum checksum, boolean isCached) {}
