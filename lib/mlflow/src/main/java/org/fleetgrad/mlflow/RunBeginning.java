package org.fleetgrad.mlflow;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds the experiment of a run, or makes it, and begins the run in it. MLflow gives each request a run of its own, so a run has a mark, by
 * which it is found if the answer was lost. Confined to one thread.
 */
final class RunBeginning {

    /** Tag of a run with a random value. */
    private static final String MARK = "fleetgrad.run";

    private static final String EXISTS = "RESOURCE_ALREADY_EXISTS";
    private static final String MISSING = "RESOURCE_DOES_NOT_EXIST";

    private final MlflowWire wire;
    private final RunDescription about;
    private final String mark = UUID.randomUUID().toString();
    private final JsonMapper json = JsonMapper.builder().build();
    private boolean mayHaveBegun;

    /** What came of it. */
    sealed interface Outcome {
        record Begun(BegunRun run) implements Outcome {}

        record Refused(String message) implements Outcome {}
    }

    RunBeginning(MlflowWire wire, RunDescription about) {
        this.wire = wire;
        this.about = about;
    }

    /** @throws IOException if it may succeed later, when it is called again */
    Outcome begin(Duration timeout) throws IOException, InterruptedException {
        MlflowReply experiment = experiment(timeout);
        if (experiment instanceof MlflowReply.Refused refused) {
            return new Outcome.Refused(refused.message());
        }
        String number =
                ((MlflowReply.Done) experiment).body().path("experiment_id").asString("");
        if (mayHaveBegun) {
            Optional<BegunRun> earlier = find(number, timeout);
            if (earlier.isPresent()) {
                return new Outcome.Begun(earlier.get());
            }
        }
        mayHaveBegun = true;
        MlflowReply created = wire.post(MlflowRoutes.CREATE_RUN, description(number), timeout);
        if (created instanceof MlflowReply.Refused refused) {
            return new Outcome.Refused(refused.message());
        }
        return run(((MlflowReply.Done) created).body().path("run"))
                .<Outcome>map(Outcome.Begun::new)
                .orElseGet(() -> new Outcome.Refused("it names no run: is it MLflow?"));
    }

    /** Returns a body with {@code experiment_id}. */
    private MlflowReply experiment(Duration timeout) throws IOException, InterruptedException {
        MlflowReply found = named(timeout);
        if (!(found instanceof MlflowReply.Refused refused) || !refused.code().equals(MISSING)) {
            return found;
        }
        ObjectNode asked = json.createObjectNode().put("name", about.experiment());
        MlflowReply made = wire.post(MlflowRoutes.CREATE_EXPERIMENT, asked, timeout);
        // Another run may have made it in between.
        return made instanceof MlflowReply.Refused refusal && refusal.code().equals(EXISTS) ? named(timeout) : made;
    }

    private MlflowReply named(Duration timeout) throws IOException, InterruptedException {
        String name = URLEncoder.encode(about.experiment(), StandardCharsets.UTF_8);
        MlflowReply reply = wire.get(MlflowRoutes.EXPERIMENT_BY_NAME + "?experiment_name=" + name, timeout);
        return reply instanceof MlflowReply.Done done
                ? new MlflowReply.Done(done.body().path("experiment"))
                : reply;
    }

    private ObjectNode description(String experiment) {
        ObjectNode asked = json.createObjectNode()
                .put("experiment_id", experiment)
                .put("run_name", about.name())
                .put("start_time", about.begin().toEpochMilli());
        about.tags()
                .forEach((key, value) ->
                        asked.withArray("tags").addObject().put("key", key).put("value", value));
        asked.withArray("tags").addObject().put("key", MARK).put("value", mark);
        return asked;
    }

    private Optional<BegunRun> find(String experiment, Duration timeout) throws IOException, InterruptedException {
        ObjectNode asked = json.createObjectNode()
                .put("filter", "tags.`%s` = '%s'".formatted(MARK, mark))
                .put("max_results", 1);
        asked.withArray("experiment_ids").add(experiment);
        MlflowReply found = wire.post(MlflowRoutes.SEARCH_RUNS, asked, timeout);
        return found instanceof MlflowReply.Done done
                ? run(done.body().path("runs").path(0))
                : Optional.empty();
    }

    private static Optional<BegunRun> run(JsonNode run) {
        JsonNode info = run.path("info");
        String id = info.path("run_id").asString("");
        return id.isEmpty()
                ? Optional.empty()
                : Optional.of(new BegunRun(
                        info.path("experiment_id").asString(""),
                        id,
                        info.path("artifact_uri").asString("")));
    }
}
