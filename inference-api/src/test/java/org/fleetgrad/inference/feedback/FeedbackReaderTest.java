package org.fleetgrad.inference.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.feedback.Label.Named;
import org.fleetgrad.inference.feedback.Label.Numbered;
import org.fleetgrad.protocol.ProblemKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FeedbackReaderTest {

    private static List<Given> read(String body) {
        return FeedbackReader.read(body.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldReadOneAnswerAndAList() {
        assertThat(read("{\"answer\":\"a\",\"label\":\"7\"}")).containsExactly(new Given("a", List.of(new Named("7"))));
        assertThat(read("{\"answer\":\"a\",\"labels\":[\"cat\",null,3]}"))
                .containsExactly(new Given("a", List.of(new Named("cat"), new Label.Unknown(), new Numbered(3))));
        assertThat(read("{\"feedback\":[{\"answer\":\"a\",\"label\":1},{\"answer\":\"b\",\"labels\":[]}]}"))
                .containsExactly(new Given("a", List.of(new Numbered(1))), new Given("b", List.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e400"})
    void shouldReadANumberThatIsTooLargeAsInfinite(String number) {
        assertInfinite(number);
        assertInfinite("9".repeat(400));
    }

    private static void assertInfinite(String number) {
        Label label = read("{\"answer\":\"a\",\"label\":%s}".formatted(number))
                .get(0)
                .labels()
                .get(0);

        assertThat(((Numbered) label).value()).isInfinite();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '^',
            value = {
                "[] | the body must be an object",
                "{ | the body is not JSON",
                "{\"answer\":\"a\"} | the body must have either 'label' or 'labels'; it has neither",
                "{\"answer\":\"a\",\"label\":1,\"labels\":[1]} | it has both",
                "{\"answer\":5,\"label\":1} | 'answer' of the body must be the id of an answer",
                "{\"answer\":\"a\",\"label\":1,\"label\":2} | the body is not JSON: line 1, column",
                "{\"label\":1} | 'answer' of the body must be the id",
                "{\"answer\":\"a\",\"label\":null} | must be a text or a number; it is null",
                "{\"answer\":\"a\",\"label\":true} | a label is a text or a number; one of the body is BOOLEAN",
                "{\"answer\":\"a\",\"label\":NaN} | the body is not JSON",
                "{\"answer\":\"a\",\"labels\":3} | 'labels' of the body must be a list",
                "{\"answer\":\"a\",\"labels\":[[1]]} | one of the body is ARRAY",
                "{\"answer\":\"a\",\"lable\":1} | the body has a member 'lable'; its members are [answer, label, labels]",
                "{\"feedback\":[],\"answer\":\"a\"} | the body has a member 'answer'; its members are [feedback]",
                "{\"feedback\":[]} | 'feedback' must be a list of 1 or more; it is empty",
                "{\"feedback\":{}} | 'feedback' must be a list of 1 or more; it is none",
                "{\"feedback\":[3]} | feedback 0 must be an object; it is NUMBER",
                "{\"feedback\":[{\"answer\":\"a\",\"label\":1},{\"answer\":\"a\"}]} | feedback 1 must have either"
            })
    void shouldSayWhatIsWrong(String body, String message) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(ProblemKind.MALFORMED))
                .hasMessageContaining(message);
    }

    @Test
    void shouldRefuseDeepJsonAndLongNumbers() {
        for (String label : List.of("[".repeat(100_000), "9".repeat(100_000))) {
            assertThatThrownBy(() -> read("{\"answer\":\"a\",\"label\":" + label))
                    .isInstanceOf(RequestRefused.class)
                    .hasMessageContaining("the body is not JSON")
                    .hasMessageNotContaining("StreamRead");
        }
    }

    @Test
    void shouldBoundTheAnswersOfARequest() {
        String one = "{\"answer\":\"a\",\"label\":1},";

        assertThatThrownBy(() -> read("{\"feedback\":[%s{\"answer\":\"a\",\"label\":1}]}"
                        .formatted(one.repeat(FeedbackReader.MOST_ANSWERS))))
                .isInstanceOfSatisfying(
                        RequestRefused.class,
                        refused -> assertThat(refused.kind()).isEqualTo(ProblemKind.TOO_LARGE))
                .hasMessage("'feedback' has 10001 answers; at most 10000 are taken at once");
    }
}
