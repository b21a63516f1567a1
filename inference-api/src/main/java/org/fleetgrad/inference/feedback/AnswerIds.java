package org.fleetgrad.inference.feedback;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Writes and reads the ids of answers. An id has what feedback needs of its answer, and a code (HMAC with SHA-256, its first 96 bits) that only this
 * process can make: so answers without feedback take no memory (ADR 55). Thread-safe.
 */
final class AnswerIds {

    private static final String ALGORITHM = "HmacSHA256";
    private static final int CODE_BYTES = 12;
    private static final byte CLASSES = 0;
    private static final byte NUMBERS = 1;
    private static final int BITS = 7;
    private static final int MORE = 1 << BITS;
    private static final int MOST_VARINT_BYTES = 10;

    private final Mac keyed;

    /**
     * Makes ids with a key.
     *
     * @param key of 32 random bytes
     */
    AnswerIds(byte[] key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, impossible);
        }
    }

    /**
     * What an id says.
     *
     * @param isOfClasses whether the predictions are numbers of classes
     * @param slot        number of the version's slot
     * @param first       sequence number of the first prediction; the others follow
     * @param predicted   class or value of each prediction
     */
    record Answer(boolean isOfClasses, long slot, long first, double[] predicted) {}

    /** Writes an id. */
    String write(Answer answer) {
        int each = answer.isOfClasses() ? MOST_VARINT_BYTES : Double.BYTES;
        ByteBuffer bytes =
                ByteBuffer.allocate(1 + 2 * MOST_VARINT_BYTES + answer.predicted().length * each + CODE_BYTES);
        bytes.put(answer.isOfClasses() ? CLASSES : NUMBERS);
        putVarint(bytes, answer.slot());
        putVarint(bytes, answer.first());
        for (double value : answer.predicted()) {
            if (answer.isOfClasses()) {
                putVarint(bytes, (long) value);
            } else {
                bytes.putDouble(value);
            }
        }
        byte[] said = Arrays.copyOf(bytes.array(), bytes.position());
        bytes.put(code(said));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(bytes.array(), bytes.position()));
    }

    /** Reads an id; empty if this process did not write it. */
    Optional<Answer> read(String id) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(id);
        } catch (IllegalArgumentException noBase64) {
            return Optional.empty();
        }
        if (bytes.length <= CODE_BYTES) {
            return Optional.empty();
        }
        byte[] said = Arrays.copyOf(bytes, bytes.length - CODE_BYTES);
        byte[] code = Arrays.copyOfRange(bytes, bytes.length - CODE_BYTES, bytes.length);
        // What follows reads only bytes that this process wrote.
        return MessageDigest.isEqual(code(said), code) ? Optional.of(answer(ByteBuffer.wrap(said))) : Optional.empty();
    }

    private static Answer answer(ByteBuffer said) {
        boolean isOfClasses = said.get() == CLASSES;
        long slot = varint(said);
        long first = varint(said);
        double[] predicted = new double[isOfClasses ? said.remaining() : said.remaining() / Double.BYTES];
        int count = 0;
        while (said.hasRemaining()) {
            predicted[count] = isOfClasses ? varint(said) : said.getDouble();
            count++;
        }
        return new Answer(isOfClasses, slot, first, Arrays.copyOf(predicted, count));
    }

    private byte[] code(byte[] said) {
        try {
            // A Mac is used by one thread at a time; a clone has the key already.
            return Arrays.copyOf(((Mac) keyed.clone()).doFinal(said), CODE_BYTES);
        } catch (CloneNotSupportedException impossible) {
            throw new IllegalStateException("the JDK's " + ALGORITHM + " can be cloned", impossible);
        }
    }

    private static void putVarint(ByteBuffer bytes, long value) {
        long left = value;
        while (left >= MORE) {
            bytes.put((byte) ((left & (MORE - 1)) | MORE));
            left >>>= BITS;
        }
        bytes.put((byte) left);
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        int shift = 0;
        while (true) {
            byte next = bytes.get();
            value |= (long) (next & (MORE - 1)) << shift;
            if (next >= 0) {
                return value;
            }
            shift += BITS;
        }
    }
}
