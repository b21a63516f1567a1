package org.fleetgrad.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.openwhisk.ActivationEnd.ApplicationError;
import org.fleetgrad.openwhisk.ActivationEnd.BrokenAction;
import org.fleetgrad.openwhisk.ActivationEnd.ContainerDied;
import org.fleetgrad.openwhisk.ActivationEnd.PlatformError;
import org.fleetgrad.openwhisk.ActivationEnd.Success;
import org.fleetgrad.openwhisk.ActivationEnd.TimeLimitExceeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ActivationEndTest {

    private static final String TIMEOUT = ",{\"key\":\"timeout\",\"value\":true}";

    private static ActivationEnd end(String status, String error, String annotations) throws OpenWhiskException {
        return ActivationEnd.of(Records.failed(status, error, annotations));
    }

    private static ActivationEnd developerError(String error) throws OpenWhiskException {
        return end("action developer error", json(error).toString(), "");
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().valueToTree(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"code\":200,\"avg_loss\":0.1}", "[1,2]", "{}"})
    void shouldBeASuccess(String result) throws OpenWhiskException {
        ActivationRecord record = Records.read(
                Records.of("{\"result\":%s,\"status\":\"success\",\"success\":true}".formatted(result), ""));

        assertThat(ActivationEnd.of(record))
                .isEqualTo(new Success(JsonMapper.shared().readTree(result)));
    }

    @Test
    void shouldBeTheActionsOwnError() throws OpenWhiskException {
        assertThat(end("application error", "\"no such shard\"", ""))
                .isEqualTo(new ApplicationError(json("no such shard"), "no such shard"));
        assertThat(end("application error", "{\"code\":7}", ""))
                .isEqualTo(new ApplicationError(JsonMapper.shared().readTree("{\"code\":7}"), "{\"code\":7}"));
    }

    @Test
    void shouldBeTheActionsOwnErrorWhateverItSays() throws OpenWhiskException {
        String words = "The action exceeded its time limits of 2000 milliseconds.";

        assertThat(end("application error", json(words).toString(), ""))
                .isEqualTo(new ApplicationError(json(words), words));
    }

    @Test
    void shouldBeKilledForItsTime() throws OpenWhiskException {
        String words = "The action exceeded its time limits of 2000 milliseconds.";
        TimeLimitExceeded killed = new TimeLimitExceeded(Optional.of(Duration.ofSeconds(2)), false, words);

        assertThat(end("action developer error", json(words).toString(), TIMEOUT))
                .isEqualTo(killed);
        assertThat(developerError(words)).as("a version without the annotation").isEqualTo(killed);
    }

    @Test
    void shouldBeKilledForItsTimeInWordsOfAnotherVersion() throws OpenWhiskException {
        assertThat(end("action developer error", "\"Too slow\"", TIMEOUT))
                .isEqualTo(new TimeLimitExceeded(Optional.of(Duration.ofSeconds(2)), false, "Too slow"));
    }

    @Test
    void shouldBeKilledForTheTimeOfItsInitialization() throws OpenWhiskException {
        String words = "The action exceeded its time limits of 60000 milliseconds during initialization.";

        assertThat(developerError(words))
                .isEqualTo(new TimeLimitExceeded(Optional.of(Duration.ofMinutes(1)), true, words));
    }

    @Test
    void shouldBeKilledForItsMemory() throws OpenWhiskException {
        String words = "The action exhausted its memory and was aborted.";

        assertThat(developerError(words)).isEqualTo(new ContainerDied(true, words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "The action did not produce a valid response and exited unexpectedly.",
                "The action did not initialize and exited unexpectedly."
            })
    void shouldHaveLostItsContainer(String words) throws OpenWhiskException {
        assertThat(developerError(words)).isEqualTo(new ContainerDied(false, words));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Failed to pull container image 'fleetgrad/worker:1'.",
                "The action did not produce a valid JSON response: <html>",
                "Cannot initialize the action more than once.",
                "The action failed during initialization: {}"
            })
    void shouldBeABrokenAction(String words) throws OpenWhiskException {
        assertThat(developerError(words)).isEqualTo(new BrokenAction(words));
    }

    @Test
    void shouldBeABrokenActionWithoutAReason() throws OpenWhiskException {
        ActivationRecord record =
                Records.read(Records.of("{\"status\":\"action developer error\",\"success\":false}", ""));

        assertThat(ActivationEnd.of(record)).isEqualTo(new BrokenAction("no reason is given"));
    }

    @Test
    void shouldBeOpenWhisksOwnFailure() throws OpenWhiskException {
        assertThat(end("whisk internal error", "\"Failed to provision resources to run the action.\"", ""))
                .isEqualTo(new PlatformError("Failed to provision resources to run the action."));
    }
}
