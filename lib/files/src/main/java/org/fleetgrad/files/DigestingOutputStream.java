package org.fleetgrad.files;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** Counts and digests the bytes that pass through it, so that a file need not be read again. Not thread-safe. */
public final class DigestingOutputStream extends FilterOutputStream {

    private final MessageDigest digest = Sha256.digest();
    private long bytes;

    /** Passes everything on to {@code out}. */
    public DigestingOutputStream(OutputStream out) {
        super(out);
    }

    @Override
    public void write(int value) throws IOException {
        out.write(value);
        digest.update((byte) value);
        bytes++;
    }

    @Override
    public void write(byte[] source, int offset, int length) throws IOException {
        out.write(source, offset, length);
        digest.update(source, offset, length);
        bytes += length;
    }

    /** Returns the number of bytes so far. */
    public long bytes() {
        return bytes;
    }

    /** Returns the SHA-256 of the bytes so far, in the form of {@link Sha256}, and begins a new digest. */
    public String sha256() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
