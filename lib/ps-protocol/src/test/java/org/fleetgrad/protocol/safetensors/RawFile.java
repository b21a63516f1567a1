package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds files byte by byte, right or wrong, and returns which rule a wrong one breaks. */
final class RawFile {

    private RawFile() {}

    /** A header as it is, unpadded, and after it as many zeros. */
    static ByteBuffer of(String header, int dataBytes) {
        byte[] bytes = header.getBytes(StandardCharsets.UTF_8);
        return stating(bytes.length, bytes, dataBytes);
    }

    /** The same of JSON that is written with apostrophes for quotation marks. */
    static ByteBuffer json(String header, int dataBytes) {
        return of(header.replace('\'', '"'), dataBytes);
    }

    /** A header whose stated length may be a lie. */
    static ByteBuffer stating(long headerLength, byte[] header, int dataBytes) {
        return ByteBuffer.allocate(Long.BYTES + header.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(headerLength)
                .put(header)
                .rewind();
    }

    static void assertRejected(ByteBuffer body, SafetensorsException.Rule rule, String message) {
        assertRejected(body, rule);
        assertThatThrownBy(() -> Safetensors.decode(body)).hasMessage(message);
    }

    static void assertRejected(ByteBuffer body, SafetensorsException.Rule rule) {
        assertThatThrownBy(() -> Safetensors.decode(body))
                .asInstanceOf(type(SafetensorsException.class))
                .extracting(SafetensorsException::rule)
                .isEqualTo(rule);
    }
}
