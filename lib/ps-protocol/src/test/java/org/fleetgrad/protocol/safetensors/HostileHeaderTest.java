package org.fleetgrad.protocol.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.fleetgrad.protocol.safetensors.RawFile.assertRejected;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.BODY_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_NOT_JSON;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_NOT_UTF8;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_TOO_LARGE;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.HEADER_TRUNCATED;
import static org.fleetgrad.protocol.safetensors.SafetensorsException.Rule.METADATA_NOT_STRINGS;

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Headers that lie about their length or are not the JSON that they must be. */
class HostileHeaderTest {

    private static final String TENSOR = "{'dtype':'U8','shape':[2],'data_offsets':[0,2]}";

    @Test
    void shouldRejectBodyWithoutLength() {
        assertRejected(
                ByteBuffer.allocate(7), HEADER_TRUNCATED, "the body has 7 bytes, the header length alone takes 8");
        assertRejected(
                ByteBuffer.allocate(0), HEADER_TRUNCATED, "the body has 0 bytes, the header length alone takes 8");
    }

    @Test
    void shouldRejectHeaderThatEndsEarly() {
        assertRejected(
                RawFile.stating(3, bytes("{}"), 0), HEADER_TRUNCATED, "the header states 3 bytes, the body has 2 left");
    }

    @Test
    void shouldRejectHugeHeaderLength() {
        assertRejected(
                RawFile.stating(1 << 20 | 1, bytes("{}"), 0),
                HEADER_TOO_LARGE,
                "the header states 1048577 bytes, accepted are 1048576");
    }

    @Test
    void shouldTakeHeaderLengthWithTopBitAsHugeNotNegative() {
        assertRejected(
                RawFile.stating(-1, bytes("{}"), 0),
                HEADER_TOO_LARGE,
                "the header states 18446744073709551615 bytes, accepted are 1048576");
        assertRejected(RawFile.stating(Long.MIN_VALUE | 2, bytes("{}"), 0), HEADER_TOO_LARGE);
    }

    @Test
    void shouldAllocateNothingForLengthsThatAreOnlyStated() {
        SafetensorsLimits generous = new SafetensorsLimits(Long.MAX_VALUE, Long.MAX_VALUE);
        ByteBuffer body = RawFile.stating(1L << 40, bytes("{}"), 0);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        assertThatThrownBy(() -> Safetensors.decode(body, generous));

        long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
        assertThatThrownBy(() -> Safetensors.decode(body, generous)).isInstanceOf(SafetensorsException.class);
        long allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        assertThat(allocated).isLessThan(1 << 20);
    }

    @Test
    void shouldRejectBodyBeyondLimit() {
        SafetensorsLimits limits = new SafetensorsLimits(SafetensorsLimits.DEFAULT.headerBytes(), 11);
        assertThatThrownBy(() -> Safetensors.decode(RawFile.of("{} ", 1), limits))
                .asInstanceOf(type(SafetensorsException.class))
                .satisfies(broken -> assertThat(broken.rule()).isEqualTo(BODY_TOO_LARGE))
                .satisfies(broken -> assertThat(broken).hasMessage("the body has 12 bytes, accepted are 11"));
    }

    @Test
    void shouldRejectHeaderThatIsNotUtf8() {
        byte[] header = bytes("{\"?\":1}");
        header[2] = (byte) 0xFF;
        assertRejected(
                RawFile.stating(header.length, header, 0), HEADER_NOT_UTF8, "the header of 7 bytes is not UTF-8");
        // An overlong encoding of '/', which lenient decoders let through.
        assertRejected(RawFile.stating(4, new byte[] {'{', (byte) 0xC0, (byte) 0xAF, '}'}, 0), HEADER_NOT_UTF8);
    }

    @ParameterizedTest
    @ValueSource(strings = {" {}", "[]", "\uFEFF{}", "null", "x"})
    void shouldRejectHeaderThatDoesNotBeginWithBrace(String header) {
        assertRejected(RawFile.of(header, 0), HEADER_NOT_JSON, "the header must begin with '{'");
    }

    @Test
    void shouldRejectEmptyHeader() {
        assertRejected(RawFile.of("", 0), HEADER_NOT_JSON, "the header must begin with '{'");
    }

    @Test
    void shouldSayWhatStandsWhereAnotherWasExpected() {
        assertRejected(
                RawFile.json("{'t'=1}", 0),
                HEADER_NOT_JSON,
                "the header has '=' at character 4 where ':' was expected");
        assertRejected(
                RawFile.json("{'t", 0),
                HEADER_NOT_JSON,
                "the header has the end at character 3 where the end of a string was expected");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{'t':" + TENSOR,
                "{'t':" + TENSOR + ",}",
                "{,'t':" + TENSOR + "}",
                "{'t':" + TENSOR + "}}",
                "{'t':" + TENSOR + "} x",
                "{'t':" + TENSOR + "}\0",
                "{t:" + TENSOR + "}",
                "{'t':[]}",
                "{'t':{'dtype':8,'shape':[2],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':2,'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[2.0],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[2e0],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[-2],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[+2],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[02],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':['2'],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[null],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[[2]],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[2,],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[\u0662],'data_offsets':[0,2]}}",
                "{'t':{'dtype':'U8','shape':[2],'data_offsets':[00,2]}}",
                "{'\n':" + TENSOR + "}",
                "{'\\x41':" + TENSOR + "}",
                "{'\\u12':" + TENSOR + "}",
                "{'\\u\u0660\u0660\u0664\u0661':" + TENSOR + "}",
                "{'\\ud83d':" + TENSOR + "}",
                "{'\\ude42\\ud83d':" + TENSOR + "}",
                "{'t':" + TENSOR + "/**/}"
            })
    void shouldRejectWhatIsNotTheFormatsJson(String header) {
        assertRejected(RawFile.json(header, 2), HEADER_NOT_JSON);
    }

    @Test
    void shouldNotRecurseIntoNesting() {
        String deep = "{'t':" + "[".repeat(200_000);
        assertRejected(RawFile.json(deep, 0), HEADER_NOT_JSON);
        assertRejected(RawFile.json("{'__metadata__':{'a':" + "{'a':".repeat(200_000), 0), METADATA_NOT_STRINGS);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
