package org.fleetgrad.runs.curves;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares with the examples of protobuf's encoding page, and with the output of its Python library. */
class ProtobufMessageTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0800",
        "1, 0801",
        "127, 087f",
        "128, 088001",
        "150, 089601",
        "9223372036854775807, 08ffffffffffffffff7f",
        "-2, 08feffffffffffffffff01"
    })
    void shouldWriteIntegersSevenBitsAByte(long value, String bytes) {
        assertThat(hex(new ProtobufMessage().integer(1, value))).isEqualTo(bytes);
    }

    @Test
    void shouldWriteTextAndMessagesWithTheirLength() {
        assertThat(hex(new ProtobufMessage().text(2, "testing"))).isEqualTo("120774657374696e67");
        assertThat(hex(new ProtobufMessage().message(3, new ProtobufMessage().integer(1, 150))))
                .isEqualTo("1a03089601");
    }

    @Test
    void shouldWriteFieldsPast15WithTwoBytesOfTag() {
        assertThat(hex(new ProtobufMessage().integer(16, 1))).isEqualTo("800101");
    }

    @Test
    void shouldWriteFloatsInLittleEndian() {
        assertThat(hex(new ProtobufMessage().float64(1, 1))).isEqualTo("09000000000000f03f");
        assertThat(hex(new ProtobufMessage().float32(2, -2))).isEqualTo("15000000c0");
    }

    private static String hex(ProtobufMessage message) {
        return HexFormat.of().formatHex(message.encode());
    }
}
