package org.fleetgrad.load.question;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.question.PredictClient.Reply;
import org.fleetgrad.load.result.LoadRow.AnsweringVersion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PredictResponseReaderTest {

    private static final ImageSamples TWO = new ImageSamples(1, 1, 1, new byte[] {1, 2}, new byte[] {4, 4});

    private final PredictResponseReader two = new PredictResponseReader(new LoadRequests(TWO, 2, BodyFormat.JSON, 1));

    @Test
    void shouldCompareClassesWithLabelsAndTakeTheVersion() {
        Verdict verdict = two.read(0, ok("""
                {"code":200,"predictions":[{"label":"four","class":4,"probabilities":[0,0,0,0,1]},
                {"class":1,"extra":{"class":4},"probabilities":[]}],"version":12,"generation":"5f2c9a1e","later":[{}]}"""));

        assertThat(verdict.failure()).isEmpty();
        assertThat(verdict.right()).isEqualTo(1);
        assertThat(verdict.total()).isEqualTo(2);
        assertThat(verdict.version()).contains(new AnsweringVersion("5f2c9a1e", 12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{\"predictions\":[{\"class\":4}],\"version\":1,\"generation\":\"g\"}|the response has 1 predictions for 2 images",
                "{\"predictions\":[{\"class\":4},{\"class\":4},{\"class\":4}],\"version\":1,\"generation\":\"g\"}|the response has 3 predictions for 2 images",
                "{\"predictions\":[{\"class\":4},{\"class\":4}]}|the response names no version, or no generation",
                "{\"predictions\":[{\"class\":4},{\"class\":4}],\"version\":1,\"generation\":\"a,b\"}|the response names no version, or no generation",
                "<html>|the response is not the JSON of a prediction",
                "{\"predictions\":[{\"class\":4},|the response is not the JSON of a prediction",
                "[]|the response has 0 predictions for 2 images"
            })
    void shouldCountAnUnusableAnswerAsFailed(String body, String reason) {
        Verdict verdict = two.read(0, ok(body));

        assertThat(verdict.failure()).isEqualTo(reason);
        assertThat(verdict.total()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "503|{\"type\":\"urn:fleetgrad:problem:no-parameters\",\"status\":503,\"code\":503,\"detail\":\"7 s\"}|status 503 no-parameters",
                "400|{\"type\":\"urn:fleetgrad:problem:malformed\",\"status\":400,\"code\":400,\"detail\":\"2 values\"}|status 400 malformed (2 values)",
                "502|<html>bad gateway</html>|status 502"
            })
    void shouldNameStatusAndRuleOfARefusal(int status, String body, String reason) {
        assertThat(two.read(0, new Reply(status, body.getBytes(StandardCharsets.UTF_8)))
                        .failure())
                .isEqualTo(reason);
    }

    private static Reply ok(String body) {
        return new Reply(200, body.getBytes(StandardCharsets.UTF_8));
    }
}
