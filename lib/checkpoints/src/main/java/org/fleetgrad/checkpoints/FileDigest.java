package org.fleetgrad.checkpoints;

import org.fleetgrad.files.Sha256;
import org.fleetgrad.files.text.Printable;

/**
 * The expected length and digest of a checkpoint's file.
 *
 * @param bytes  its length
 * @param sha256 SHA-256 of its bytes, as 64 lower-case hexadecimal digits
 */
public record FileDigest(long bytes, String sha256) {

    public FileDigest {
        if (bytes < 0 || !Sha256.isDigest(sha256)) {
            throw new IllegalArgumentException(
                    "a file must have 0 bytes or more and a SHA-256 of 64 digits; it has %d and '%s'"
                            .formatted(bytes, Printable.text(sha256)));
        }
    }
}
