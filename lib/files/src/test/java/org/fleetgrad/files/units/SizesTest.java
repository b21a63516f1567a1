package org.fleetgrad.files.units;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "17, 17",
        "17b, 17",
        "64k, 65536",
        "256m, 268435456",
        "256M, 268435456",
        "256mb, 268435456",
        "1g, 1073741824",
        "00000000000000000000001, 1",
        "9223372036854775807, 9223372036854775807"
    })
    void shouldReadSizesAsDockerDoes(String text, long bytes) {
        assertThat(Sizes.parse(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "m", "lots", "-1m", "1.5g", "1 m", "1t", "1bm", "٣m"})
    void shouldRefuseWhatIsNoSize(String text) {
        assertThatThrownBy(() -> Sizes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is not a size; write one such as 256m or 1g", text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "8589934592g", "99999999999999999999999999k"})
    void shouldRefuseSizesThatAreTooLarge(String text) {
        assertThatThrownBy(() -> Sizes.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'%s' is too large; the largest size is 9223372036854775807 bytes", text);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "17, 17", "1024, 1k", "268435456, 256m", "1073741824, 1g", "1099511627776, 1024g"})
    void shouldWriteTheLargestUnitThatDivides(long bytes, String text) {
        assertThat(Sizes.print(bytes)).isEqualTo(text);
    }

    @Test
    void shouldNotWriteNegativeSizes() {
        assertThatThrownBy(() -> Sizes.print(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a size is 0 bytes or more; this is -1");
    }
}
