package org.fleetgrad.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** SHA-256 as 64 lower-case hexadecimal digits. */
public final class Sha256 {

    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");
    private static final int CHUNK_BYTES = 1 << 16;

    private Sha256() {}

    /** Returns whether {@code text} has the form of a digest. */
    public static boolean isDigest(String text) {
        return HEX.matcher(text).matches();
    }

    /** Digests the bytes from the buffer's position to its limit; does not move the position. */
    public static String of(ByteBuffer bytes) {
        MessageDigest digest = digest();
        digest.update(bytes.duplicate());
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Digests a file in chunks. */
    public static String of(Path file) throws IOException {
        MessageDigest digest = digest();
        byte[] chunk = new byte[CHUNK_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                digest.update(chunk, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform must have SHA-256", impossible);
        }
    }
}
