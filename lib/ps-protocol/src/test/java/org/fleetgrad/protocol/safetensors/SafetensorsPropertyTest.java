package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

class SafetensorsPropertyTest {

    @Property
    void shouldReadWhatItWrote(@ForAll("sets") TensorSet set) throws SafetensorsException {
        assertSame(Safetensors.decode(Safetensors.encode(set)), set);
    }

    @Property(tries = 200)
    void shouldReadFromAnyPlaceInAnyBuffer(
            @ForAll("sets") TensorSet set, @ForAll @IntRange(max = 9) int before, @ForAll @IntRange(max = 9) int after)
            throws SafetensorsException {
        ByteBuffer file = Safetensors.encode(set);
        ByteBuffer around = ByteBuffer.allocateDirect(before + file.remaining() + after);
        around.position(before).put(file).limit(around.position()).position(before);

        assertSame(Safetensors.decode(around), set);
        assertThat(around.position()).isEqualTo(before);
    }

    @Property(tries = 200)
    void shouldWriteSameBytesForSameContent(@ForAll("sets") TensorSet set, @ForAll long seed) {
        List<Map.Entry<String, String>> entries = new ArrayList<>(set.metadata().entrySet());
        List<TensorSpec> specs = new ArrayList<>(set.layout().specs());
        Collections.shuffle(entries, new Random(seed));
        Collections.shuffle(specs, new Random(seed));
        Map<String, String> metadata = new LinkedHashMap<>();
        entries.forEach(entry -> metadata.put(entry.getKey(), entry.getValue()));

        TensorLayout one = TensorLayout.canonical(set.layout().specs());
        TensorLayout other = TensorLayout.canonical(specs);
        assertThat(Safetensors.encode(new TensorSet(other, set.data(), metadata)))
                .isEqualTo(Safetensors.encode(new TensorSet(one, set.data(), set.metadata())));
    }

    @Property(tries = 200)
    void shouldAlignDataToEightBytes(@ForAll("sets") TensorSet set) {
        ByteBuffer file = Safetensors.encode(set);
        assertThat((file.remaining() - set.layout().byteLength()) % 8).isZero();
    }

    @Property
    void shouldReadAnyBytesOrRefuseThemWithTheTypedError(@ForAll @Size(max = 64) byte[] bytes) {
        decodeOrRefuse(ByteBuffer.wrap(bytes));
    }

    @Property(tries = 2000)
    void shouldReadAnyHeaderOrRefuseItWithTheTypedError(
            @ForAll("headers") String header, @ForAll @IntRange(max = 8) int dataBytes) {
        decodeOrRefuse(RawFile.of("{" + header, dataBytes));
    }

    @Property(tries = 5000)
    void shouldReadMutatedFileOrRefuseItWithTheTypedError(
            @ForAll("sets") TensorSet set, @ForAll @IntRange(min = 1, max = 4) int mutations, @ForAll long seed) {
        byte[] file = Safetensors.encode(set).array();
        Random random = new Random(seed);
        for (int i = 0; i < mutations && file.length > 0; i++) {
            file = mutate(file, random);
        }
        decodeOrRefuse(ByteBuffer.wrap(file));
    }

    @Property(tries = 300)
    void shouldRefuseEveryTruncation(@ForAll("sets") TensorSet set, @ForAll @IntRange(max = 10_000) int kept) {
        ByteBuffer file = Safetensors.encode(set);
        assertThat(decodeOrRefuse(file.limit(kept % file.limit()))).isFalse();
    }

    @Provide
    Arbitrary<TensorSet> sets() {
        return TensorSetArbitraries.sets();
    }

    /** Headers put together from the pieces that real ones are made of, mostly in a wrong order. */
    @Provide
    Arbitrary<String> headers() {
        return Arbitraries.of(
                        "{",
                        "}",
                        "[",
                        "]",
                        ",",
                        ":",
                        " ",
                        "\"",
                        "\\",
                        "\\u00",
                        "\"a\"",
                        "\"a\":{",
                        "\"b\":{",
                        "\"__metadata__\":{",
                        "\"dtype\":",
                        "\"U8\"",
                        "\"F32\"",
                        "\"shape\":",
                        "\"data_offsets\":",
                        "[0,",
                        "1]",
                        "4]",
                        "0",
                        "-",
                        "9223372036854775807",
                        "null",
                        "é",
                        "\uD83D\uDE42",
                        "\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}")
                .list()
                .ofMaxSize(12)
                .map(pieces -> String.join("", pieces));
    }

    private static byte[] mutate(byte[] file, Random random) {
        int at = random.nextInt(file.length);
        // Half of the mutations hit the length and the header's beginning, where most of the rules are.
        at = random.nextBoolean() ? at : at % 64;
        ByteBuffer bytes = ByteBuffer.wrap(file.clone());
        return switch (random.nextInt(5)) {
            case 0 -> bytes.put(at, (byte) (file[at] ^ 1 << random.nextInt(8))).array();
            case 1 -> bytes.put(at, (byte) random.nextInt(256)).array();
            case 2 -> {
                byte[] json = "0123456789{}[]\":,\\ ".getBytes(StandardCharsets.US_ASCII);
                yield bytes.put(at, json[random.nextInt(json.length)]).array();
            }
            case 3 -> Arrays.copyOf(file, at);
            default -> {
                byte[] longer = Arrays.copyOf(file, file.length + 1);
                System.arraycopy(file, at, longer, at + 1, file.length - at);
                yield longer;
            }
        };
    }

    /** Returns whether the file was read; if so, writing and reading it again must give the same. */
    private static boolean decodeOrRefuse(ByteBuffer file) {
        TensorSet set;
        try {
            set = Safetensors.decode(file);
        } catch (SafetensorsException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
            return false;
        }
        assertSame(decoded(Safetensors.encode(set)), set);
        return true;
    }

    private static TensorSet decoded(ByteBuffer file) {
        try {
            return Safetensors.decode(file);
        } catch (SafetensorsException ownFile) {
            throw new AssertionError("a file of our own was refused", ownFile);
        }
    }

    private static void assertSame(TensorSet actual, TensorSet expected) {
        assertThat(actual.layout()).isEqualTo(expected.layout());
        assertThat(actual.metadata()).isEqualTo(expected.metadata());
        assertThat(actual.data()).isEqualTo(expected.data());
    }
}
