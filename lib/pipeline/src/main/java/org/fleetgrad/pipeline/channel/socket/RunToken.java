package org.fleetgrad.pipeline.channel.socket;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The secret that the programs of one run share. It is never sent over a connection: each side proves that it knows it by an
 * HMAC over the other side's random bytes. Immutable.
 */
public final class RunToken {

    private static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";
    private static final Pattern HEX = Pattern.compile("[0-9a-f]{64}");

    private final byte[] secret;

    private RunToken(byte[] secret) {
        this.secret = secret;
    }

    /** Draws a token. */
    public static RunToken draw() {
        return new RunToken(random(BYTES));
    }

    /**
     * Parses the output of {@link #text}.
     *
     * @throws IllegalArgumentException if it is no token; the message does not repeat it
     */
    public static RunToken parse(String text) {
        if (!HEX.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "a run's token has 64 hexadecimal digits; this has %d characters".formatted(text.length()));
        }
        return new RunToken(HexFormat.of().parseHex(text));
    }

    /** Returns the secret as 64 hexadecimal digits. */
    public String text() {
        return HexFormat.of().formatHex(secret);
    }

    /** Returns {@code count} bytes from a secure random generator. */
    static byte[] random(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** Returns the HMAC over a role and both sides' random bytes, which only a program of the run can compute. */
    byte[] proof(String role, byte[] ofListener, byte[] ofCaller, String hello) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            mac.update(role.getBytes(StandardCharsets.UTF_8));
            mac.update(ofListener);
            mac.update(ofCaller);
            mac.update(hello.getBytes(StandardCharsets.UTF_8));
            return mac.doFinal();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java platform must have " + ALGORITHM, impossible);
        }
    }

    @Override
    public String toString() {
        return "RunToken[secret]";
    }
}
