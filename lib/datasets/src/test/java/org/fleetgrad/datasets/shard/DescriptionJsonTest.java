package org.fleetgrad.datasets.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.fleetgrad.datasets.shard.DatasetDescription.SampleRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DescriptionJsonTest {

    private static final String VALID = """
            {"name":"tiny","split":"test","classes":["a","b"],"shape":[1,2,3],"normalization":{"mean":[0.5],"std":[0.25]},\
            "range":{"first":0,"count":4,"total":9},"sha256":"%s"}""".formatted("0".repeat(64));

    @Test
    void shouldReadWhatItWrote() {
        DatasetDescription description = TestShards.shard().description();

        assertThat(DescriptionJson.read(DescriptionJson.write(description), null))
                .isEqualTo(description);
    }

    @Test
    void shouldTolerateFieldsOfLaterReleases() {
        DatasetDescription read = read(VALID.replace("{\"name\"", "{\"license\":{\"id\":[1,null]},\"name\""));

        assertThat(read.split()).isEqualTo(Split.TEST);
        assertThat(read.range()).isEqualTo(new SampleRange(0, 4, 9));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"name\":\"tiny\",      |                       | 'name' is missing; it must be a string",
                "\"tiny\"                | 7                     | 'name' must be a string; it is 7",
                "\"tiny\"                | \"../x\"              | a dataset's name must have 1 to 100 letters",
                "\"test\"                | \"validation\"        | 'split' must be \"train\" or \"test\"; it is \"validation\"",
                "[\"a\",\"b\"]           | []                    | a dataset must have 1 to 65536 classes; it has 0",
                "[\"a\",\"b\"]           | [\"a\",null]          | 'classes' must be an array of strings; it is [\"a\",null]",
                "[1,2,3]                 | [1,2]                 | a shape must be [channels, height, width]; it is [1, 2]",
                "[1,2,3]                 | [1,-2,3]              | a shape must be [channels, height, width]; it is [1, -2, 3]",
                "[1,2,3]                 | [1,2.5,3]             | 'shape' must be an array of whole numbers; it is [1,2.5,3]",
                "[1,2,3]                 | [1,2,9999999999]      | 'shape' must be an array of whole numbers; it is [1,2,9999999999]",
                "[1,2,3]                 | [3,2,3]               | the normalization has 1 channels, the shape [3, 2, 3] has 3",
                "[0.25]                  | [0]                   | channel 0: the mean must be finite and the std finite and positive; they are 0.5 and 0.0",
                "[0.25]                  | [1e999]               | channel 0: the mean must be finite and the std finite and positive; they are 0.5 and Infinity",
                "\"std\":[0.25]          | \"std\":\"x\"         | 'normalization.std' must be an array of numbers; it is \"x\"",
                "\"first\":0             | \"first\":6           | 4 samples from 6 on are not a range of 9 samples",
                "\"count\":4             | \"count\":\"4\"       | 'range.count' must be a whole number; it is \"4\"",
                "{\"first\":0,\"count\":4,\"total\":9} | null    | 'range' must be an object; it is null",
                "\"sha256\":\"0          | \"sha256\":\"g        | a SHA-256 must have 64 lower-case hexadecimal digits",
                "\"name\":\"tiny\"       | \"name\":\"a\",\"name\":\"b\" | not JSON: Duplicate",
                "9},                     | 9},,                  | not JSON: Unexpected character"
            })
    void shouldNameWhatIsMissingOrInvalid(String part, String replacement, String message) {
        String json = VALID.replace(part, replacement == null ? "" : replacement);

        assertThat(json).isNotEqualTo(VALID);
        assertThatThrownBy(() -> read(json))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void shouldRefuseWhatIsNotOneObject() {
        assertThatThrownBy(() -> read("[]")).hasMessage("not a JSON object");
        assertThatThrownBy(() -> read("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> read(VALID + "{}")).hasMessageStartingWith("not JSON: ");
        assertThatThrownBy(() -> read("{\"name\":" + "[".repeat(100_000))).hasMessageStartingWith("not JSON: ");
    }

    @Test
    void shouldShortenLongValuesInMessages() {
        String json = VALID.replace("[1,2,3]", "\"" + "y".repeat(5_000) + "\"");

        assertThatThrownBy(() -> read(json))
                .hasMessage("'shape' must be an array of whole numbers; it is \"" + "y".repeat(79) + "…");
    }

    private static DatasetDescription read(String json) {
        return DescriptionJson.read(json.getBytes(StandardCharsets.UTF_8), null);
    }
}
