package org.fleetgrad.protocol.encoding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostileEncodingTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 1 2 | none",
                "0 2 1 | index 2 of tensor 't' is 1, not above the one before it, which is 2",
                "3 3 4 | index 1 of tensor 't' is 3, not above the one before it, which is 3",
                "-1 0 1 | index 0 of tensor 't' is -1, not from 0 to 9",
                "7 8 10 | index 2 of tensor 't' is 10, not from 0 to 9",
                "2147483647 8 9 | index 0 of tensor 't' is 2147483647, not from 0 to 9"
            })
    void shouldRefuseIndices(String indices, String problem) throws EncodingException {
        TopK encoding = new TopK(0.3);
        ByteBuffer bytes = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
        for (String index : indices.split(" ")) {
            bytes.putInt(Integer.parseInt(index));
        }
        check(encoding, bytes.putFloat(1).putFloat(2).putFloat(3).flip(), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | none",
                "1e-45 | none",
                "NaN | scale 0 of 1 of tensor 't' is NaN; a scale is a finite number from 0 on",
                "Infinity | scale 0 of 1 of tensor 't' is Infinity; a scale is a finite number from 0 on",
                "-1 | scale 0 of 1 of tensor 't' is -1.0; a scale is a finite number from 0 on"
            })
    void shouldRefuseScales(float scale, String problem) throws EncodingException {
        ByteBuffer bytes =
                ByteBuffer.allocate(14).order(ByteOrder.LITTLE_ENDIAN).putFloat(scale);
        check(new Int8(256), bytes.position(14).flip(), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "11100011 10110000 11110000 | none",
                "11100011 01000000 11110000 | byte 1 of 3 of the codes of tensor 't' is 01000000; codes are 00, 10 and 11, and 00 after the last value",
                "11100011 10110000 11111000 | byte 2 of 3 of the codes of tensor 't' is 11111000; codes are 00, 10 and 11, and 00 after the last value"
            })
    void shouldRefuseCodes(String codes, String problem) throws EncodingException {
        ByteBuffer bytes = ByteBuffer.allocate(3);
        for (String code : codes.split(" ")) {
            bytes.put((byte) Integer.parseInt(code, 2));
        }
        check(new TwoBit(0.5f), bytes.flip(), problem);
    }

    /** For any bytes, the outcome is values or a refusal. */
    @Property(tries = 300)
    void shouldFailInNoOtherWay(@ForAll @Size(3000) byte[] bytes) {
        for (Encoding encoding : Wire.encodings().toList()) {
            TensorLayout layout = encoding.wireLayout(Wire.LAYOUT);
            ByteBuffer body = ByteBuffer.wrap(bytes, 0, (int) layout.byteLength());
            try {
                float[] unused = Wire.decode(encoding, Wire.LAYOUT, new TensorSet(layout, body, Map.of()));
            } catch (EncodingException refused) {
                assertThat(refused.getMessage()).contains("tensor '");
            }
        }
    }

    private static void check(Encoding encoding, ByteBuffer bytes, String problem) throws EncodingException {
        TensorSet wire = new TensorSet(encoding.wireLayout(Wire.of(10)), bytes, Map.of());
        if (problem.equals("none")) {
            float[] unused = Wire.decode(encoding, Wire.of(10), wire);
        } else {
            assertThatThrownBy(() -> Wire.decode(encoding, Wire.of(10), wire))
                    .isInstanceOf(EncodingException.class)
                    .hasMessage(problem);
        }
    }
}
