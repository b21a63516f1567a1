package org.fleetgrad.worker.openwhisk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.fleetgrad.worker.action.ActionResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JavaActionTest {

    private final List<JsonNode> bodies = new ArrayList<>();
    private final Map<String, String> environment = new HashMap<>();
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();
    private Function<JsonNode, ActionResult> activations = body -> new ActionResult.Success(Map.of("code", 200));
    private final JavaAction action = new JavaAction(
            body -> {
                bodies.add(body);
                return activations.apply(body);
            },
            () -> environment,
            () -> new PrintStream(log, true, StandardCharsets.UTF_8));

    private JsonObject run(String arguments) {
        JsonElement parsed = JsonParser.parseString(arguments);
        return action.run(parsed);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"batch_sz_train\":32,\"clip_norm\":1.50,\"large\":9007199254740993,\"winter\":\"❄\",\"none\":null}",
                "{\"deep\":{\"a\":[1,{\"b\":[]}]}}",
                "[1,2]"
            })
    void shouldPassTheParametersAsTheyCame(String arguments) {
        run(arguments);

        assertThat(bodies.get(0).path("value").toString()).isEqualTo(arguments.replace("1.50", "1.5"));
    }

    @Test
    void shouldReadTheDeadlineAnewForEachActivation() {
        run("{}");
        environment.put("__OW_DEADLINE", "1795215950210");
        run("{}");
        environment.put("__OW_DEADLINE", "1795215950999");
        run("{}");

        assertThat(bodies.get(0).path("deadline").isMissingNode()).isTrue();
        assertThat(bodies.get(1).path("deadline").asString()).isEqualTo("1795215950210");
        assertThat(bodies.get(2).path("deadline").asString()).isEqualTo("1795215950999");
    }

    @Test
    void shouldAnswerWhatTheContainerAnswers() {
        activations = body -> new ActionResult.Success(Map.of("avg_loss", 0.1, "samples", 9007199254740993L));

        JsonObject answer = run("{}");

        assertThat(answer.get("avg_loss").getAsDouble()).isEqualTo(0.1);
        assertThat(answer.get("samples").getAsLong()).isEqualTo(9007199254740993L);
        assertThat(answer.size()).isEqualTo(2);
        assertThat(log.size()).isZero();
    }

    @Test
    void shouldAnswerAndLogAnError() {
        activations = body -> new ActionResult.ApplicationError(404, "no shard ❄");

        assertThat(run("{}")).isEqualTo(JsonParser.parseString("{\"error\":\"no shard ❄\",\"code\":404}"));
        assertThat(log.toString(StandardCharsets.UTF_8)).isEqualToNormalizingNewlines("no shard ❄\n");
    }

    @Test
    void shouldSayWhatHelpsWhereTheHeapIsFull() {
        activations = body -> {
            throw new OutOfMemoryError("Java heap space");
        };

        assertThatThrownBy(() -> run("{}"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "its heap of %d MiB is full (Java heap space); give the action more memory, or it smaller shards",
                        Runtime.getRuntime().maxMemory() >> 20);
    }
}
