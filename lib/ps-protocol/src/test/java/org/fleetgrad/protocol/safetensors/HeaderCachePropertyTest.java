package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.fleetgrad.protocol.safetensors.Safetensors.Head;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeaderCachePropertyTest {

    private static final String TENSORS = ",\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";

    @Property
    void shouldParseTheTensorsOfRepeatedHeadersOnce(
            @ForAll("sets") TensorSet set, @ForAll("metadata") Map<String, String> other) throws SafetensorsException {
        HeaderCache headers = new HeaderCache();
        byte[] first = header(set.layout(), Map.of("step", "1"));
        byte[] second = header(set.layout(), other);

        TensorLayout known = headers.decode(ByteBuffer.wrap(first), set.layout().byteLength())
                .layout();
        Head repeated = headers.decode(ByteBuffer.wrap(second), set.layout().byteLength());

        assertThat(repeated.metadata()).isEqualTo(other);
        if (other.isEmpty()) {
            assertThat(repeated.layout()).isEqualTo(known);
        } else {
            assertThat(repeated.layout()).isSameAs(known);
        }
    }

    /** For any earlier headers and any errors, the result is that of the complete parser. */
    @Property(tries = 3000)
    void shouldAnswerAsTheWholeParserDoes(
            @ForAll("sets") TensorSet set,
            @ForAll("metadata") Map<String, String> other,
            @ForAll("damage") char damage,
            @ForAll @IntRange(max = 10_000) int place,
            @ForAll boolean isInserted) {
        HeaderCache headers = new HeaderCache();
        long dataBytes = set.layout().byteLength();
        decoded(headers, header(set.layout(), Map.of("step", "1")), dataBytes);
        byte[] damaged = damaged(header(set.layout(), other), damage, place, isInserted);

        assertThat(decoded(headers, damaged, dataBytes)).isEqualTo(parsed(damaged, dataBytes));
        assertThat(decoded(headers, damaged, dataBytes + 4)).isEqualTo(parsed(damaged, dataBytes + 4));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "",
                "{\"__metadata__\":{\"a\":\"b\"}",
                "{ \"__metadata__\" : {} ",
                "{\"__metadata__\":{\"a\":\"b\"",
                "{\"__metadata__\":{\"a\":\"b\"},",
                "{\"__metadata__\":{\"a\":\"b\"}}",
                "{\"__metadata__\":\"a\"",
                "{\"__metadata__\":{\"a\":{}",
                "{\"__metadata__\":{\"a\":\"b",
                "{\"w\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}",
                "{\"__metadata__\":{},\"__metadata__\":{}",
                "[{\"__metadata__\":{}"
            })
    void shouldNotTakeAnythingElseForMetadata(String beginning) {
        HeaderCache headers = new HeaderCache();
        decoded(headers, utf8("{\"__metadata__\":{\"a\":\"b\"}" + TENSORS), 8);
        byte[] header = utf8(beginning + TENSORS);

        assertThat(decoded(headers, header, 8)).isEqualTo(parsed(header, 8));
    }

    @Test
    void shouldReadFilesWithOtherTensorsInBetween() throws SafetensorsException {
        HeaderCache headers = new HeaderCache();
        String other = ",\"v\":{\"dtype\":\"F32\",\"shape\":[1,2],\"data_offsets\":[0,8]}}";
        for (String tensors : new String[] {TENSORS, other, other, TENSORS, TENSORS}) {
            String header = "{\"__metadata__\":{\"a\":\"b\"}" + tensors;
            ByteBuffer file = RawFile.of(header, 8);

            assertThat(headers.decodeFile(file, SafetensorsLimits.DEFAULT).layout())
                    .isEqualTo(Safetensors.decode(file).layout());
        }
    }

    /** The head, or the rule that is broken and the message. */
    private static Object decoded(HeaderCache headers, byte[] header, long dataBytes) {
        try {
            return headers.decode(ByteBuffer.wrap(header), dataBytes);
        } catch (SafetensorsException refused) {
            return refused.rule() + " " + refused.getMessage();
        }
    }

    private static Object parsed(byte[] header, long dataBytes) {
        try {
            return Safetensors.decodeHeader(ByteBuffer.wrap(header), dataBytes);
        } catch (SafetensorsException refused) {
            return refused.rule() + " " + refused.getMessage();
        }
    }

    private static byte[] header(TensorLayout layout, Map<String, String> metadata) {
        byte[] header = SafetensorsHeader.encode(layout, metadata, 0);
        return Arrays.copyOfRange(header, Safetensors.LENGTH_BYTES, header.length);
    }

    private static byte[] damaged(byte[] header, char damage, int place, boolean isInserted) {
        String text = new String(header, StandardCharsets.UTF_8);
        int at = place % text.length();
        return utf8(text.substring(0, at) + damage + text.substring(isInserted ? at : at + 1));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Provide
    Arbitrary<TensorSet> sets() {
        return TensorSetArbitraries.sets();
    }

    @Provide
    Arbitrary<Map<String, String>> metadata() {
        return Arbitraries.maps(
                        Arbitraries.strings().withChars("ab\"\\{}é ,:").ofMaxLength(6),
                        Arbitraries.strings().withChars("ab\"\\{}é ,:\n").ofMaxLength(9))
                .ofMaxSize(4);
    }

    @Provide
    Arbitrary<Character> damage() {
        return Arbitraries.of('{', '}', '"', ',', ':', ' ', '\\', '1', 'a', 'é', '\n', '[', ']');
    }
}
