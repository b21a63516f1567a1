package org.fleetgrad.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterVersionTest {

    @Test
    void shouldQuoteEntityTag() {
        assertThat(new ParameterVersion("8f3c", 12).etag()).isEqualTo("\"8f3c-12\"");
    }

    @Test
    void shouldReadItselfFromMetadata() {
        assertThat(ParameterVersion.of(Map.of("generation", "8f3c", "version", "12", "more", "x")))
                .contains(new ParameterVersion("8f3c", 12));
    }

    @ParameterizedTest
    @CsvSource({"'', 1", "g, -1", "g, 9223372036854775808", "g, one", "g, ''"})
    void shouldFindNoVersionInMalformedMetadata(String generation, String version) {
        assertThat(ParameterVersion.of(Map.of("generation", generation, "version", version)))
                .isEmpty();
    }

    @Test
    void shouldFindNoVersionWhereKeyIsMissing() {
        assertThat(ParameterVersion.of(Map.of("generation", "g"))).isEmpty();
        assertThat(ParameterVersion.of(Map.of("version", "1"))).isEmpty();
    }

    @Test
    void shouldRejectNegativeVersionAndEmptyGeneration() {
        assertThatThrownBy(() -> new ParameterVersion("g", -1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no version of a parameter set: 'g', -1");
        assertThatThrownBy(() -> new ParameterVersion("", 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
