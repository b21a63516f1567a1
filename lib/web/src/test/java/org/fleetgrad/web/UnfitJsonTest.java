package org.fleetgrad.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

class UnfitJsonTest {

    private static String text(String body) {
        return UnfitJson.text(catchThrowableOfType(
                JacksonException.class, () -> JsonMapper.shared().readTree(body)));
    }

    record Inner(double recall, long samples) {}

    record Request(
            @Nullable Long number,
            @Nullable Integer shard,
            @Nullable Double loss,
            @Nullable String key,
            @Nullable Boolean paused,
            @Nullable List<Inner> parts) {}

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '!',
            value = {
                "\"number\":\"7\"|'number' must be a whole number; it is a text",
                "\"number\":\"\"|'number' must be a whole number; it is a text",
                "\"number\":3.5|'number' must be a whole number; it is 3.5, with a fraction or an exponent",
                "\"number\":1e30|'number' must be a whole number; it is 1.0E30, with a fraction or an exponent",
                "\"number\":99999999999999999999|'number' must be a whole number from -9223372036854775808 to 9223372036854775807; it is 99999999999999999999",
                "\"number\":-9223372036854775809|'number' must be a whole number from -9223372036854775808 to 9223372036854775807; it is -9223372036854775809",
                "\"shard\":3000000000|'shard' must be a whole number from -2147483648 to 2147483647; it is 3000000000",
                "\"number\":[1]|'number' must be a whole number; it is a list",
                "\"number\":{}|'number' must be a whole number; it is an object",
                "\"number\":true|'number' must be a whole number; it is true or false",
                "\"loss\":\"high\"|'loss' must be a number; it is a text",
                "\"key\":12345678|'key' must be a text; it is a number",
                "\"key\":1.5|'key' must be a text; it is a number",
                "\"key\":true|'key' must be a text; it is true or false",
                "\"paused\":\"true\"|'paused' must be true or false; it is a text",
                "\"paused\":1|'paused' must be true or false; it is a number",
                "\"parts\":7|'parts' must be a list; it is a number",
                "\"parts\":[null]|'parts.0' must be an object; it is null",
                "\"parts\":[7]|'parts.0' must be an object; it is a number",
                "\"parts\":[{\"samples\":1}]|'parts.0.recall' must be a number; it is missing",
                "\"parts\":[{\"recall\":1,\"samples\":null}]|'parts.0.samples' must be a whole number; it is null",
                "\"parts\":[{\"recall\":1,\"samples\":99999999999999999999}]|'parts.0.samples' must be a whole number from -9223372036854775808 to 9223372036854775807; it is 99999999999999999999"
            })
    void shouldSayWhatAMemberMustBeAndWhatItIs(String members, String text) {
        JsonMapper strict = StrictJson.apply(JsonMapper.builder()).build();

        JacksonException wrong = catchThrowableOfType(
                JacksonException.class, () -> strict.readValue("{" + members + "}", Request.class));

        assertThat(UnfitJson.text(wrong)).isEqualTo(text);
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
