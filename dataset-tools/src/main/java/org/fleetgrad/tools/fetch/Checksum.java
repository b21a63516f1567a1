package org.fleetgrad.tools.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file's checksum and its algorithm: publishers use different algorithms.
 *
 * @param algorithm of the checksum
 * @param hex       lower-case hexadecimal digits
 */
public record Checksum(Algorithm algorithm, String hex) {

    private static final int CHUNK_BYTES = 1 << 16;

    /** The algorithms that publishers of datasets use. MD5 detects damage, but not forgery. */
    public enum Algorithm {
        SHA256("SHA-256", 64),
        MD5("MD5", 32);

        private final String javaName;
        private final int digits;

        Algorithm(String javaName, int digits) {
            this.javaName = javaName;
            this.digits = digits;
        }
    }

    /** Checks the digits. */
    public Checksum {
        if (hex.length() != algorithm.digits || !hex.matches("[0-9a-f]*")) {
            throw new IllegalArgumentException("a checksum by %s has %d lower-case hexadecimal digits, not '%s'"
                    .formatted(algorithm.javaName, algorithm.digits, hex));
        }
    }

    /** Returns a SHA-256 checksum of these digits. */
    public static Checksum sha256(String hex) {
        return new Checksum(Algorithm.SHA256, hex);
    }

    /** Computes the checksum of a file with the same algorithm. */
    public Checksum of(Path file) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance(algorithm.javaName);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform must have " + algorithm.javaName, impossible);
        }
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
            }
        }
        return new Checksum(algorithm, HexFormat.of().formatHex(digest.digest()));
    }

    /** Returns whether a file has this checksum. */
    public boolean matches(Path file) throws IOException {
        return of(file).equals(this);
    }

    @Override
    public String toString() {
        return algorithm.javaName + " " + hex;
    }
}
