package org.fleetgrad.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class UnfitJsonTest {

    private static String text(String body) {
        return UnfitJson.text(catchThrowableOfType(
                JacksonException.class, () -> JsonMapper.shared().readTree(body)));
    }

    @Test
    void shouldSayWhereABodyBreaks() {
        assertThat(text("{\"a\":\n x}")).startsWith("the body is not JSON: line 2, column 2: Unrecognized token 'x'");
    }

    /** Jackson says no place of these, and names its own code. */
    @Test
    void shouldSayTheLimitsOfDepthAndLength() {
        assertThat(text("[".repeat(600)))
                .isEqualTo("the body is not JSON: Document nesting depth (501) exceeds the maximum allowed (500)");
        assertThat(text("9".repeat(2_000)))
                .isEqualTo("the body is not JSON: Number value length (2000) exceeds the maximum allowed (1000)");
    }
}
