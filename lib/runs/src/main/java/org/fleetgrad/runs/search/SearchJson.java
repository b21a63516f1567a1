package org.fleetgrad.runs.search;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;
import org.fleetgrad.runs.kept.NumberedJson;
import org.fleetgrad.runs.settings.Until;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A search as JSON. */
final class SearchJson {

    /** A later format that this build cannot read has a larger number. */
    private static final int FORMAT = 1;

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private SearchJson() {}

    static byte[] write(SearchState state) {
        SearchPlan plan = state.plan();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("format", FORMAT);
        json.put("name", plan.name());
        json.put("method", plan.method().toString());
        json.put("eta", plan.eta());
        json.put("seed", plan.seed());
        json.set(
                "vary",
                MAPPER.valueToTree(
                        plan.variations().stream().map(Variation::text).toList()));
        json.put("directory", plan.directory().toString());
        json.set("train", MAPPER.valueToTree(plan.words()));
        ArrayNode trials = json.putArray("trials");
        plan.drawn().forEach(drawn -> {
            ObjectNode trial = trials.addObject();
            trial.set("values", MAPPER.valueToTree(drawn.values()));
            trial.put("until", drawn.until().toString());
        });
        ArrayNode rungs = json.putArray("rungs");
        state.rungs().forEach(result -> write(result, rungs.addObject()));
        return MAPPER.writeValueAsBytes(json);
    }

    private static void write(RungResult result, ObjectNode json) {
        json.put("promoted", result.promoted());
        ArrayNode standings = json.putArray("standings");
        result.standings().forEach(standing -> {
            ObjectNode one = standings.addObject();
            one.put("trial", standing.trial());
            one.put("ended", standing.hasEnded());
            one.put("seconds", standing.seconds());
            standing.best().ifPresent(best -> one.set("best", MAPPER.valueToTree(best.members())));
        });
    }

    /** @throws IllegalArgumentException if it is not what {@link #write} wrote; the message says where */
    static SearchState read(byte[] bytes) {
        JsonNode json = NumberedJson.read(bytes, FORMAT);
        try {
            SearchPlan plan = new SearchPlan(
                    NumberedJson.text(json, "name"),
                    SearchMethod.valueOf(NumberedJson.text(json, "method").toUpperCase(Locale.ROOT)),
                    number(json, "eta").intValue(),
                    number(json, "seed"),
                    texts(json, "vary").stream().map(Variation::parse).toList(),
                    texts(json, "train"),
                    Path.of(NumberedJson.text(json, "directory")),
                    drawn(array(json, "trials")));
            return new SearchState(plan, rungs(array(json, "rungs"), plan));
        } catch (JacksonException | InvalidPathException wrong) {
            throw new IllegalArgumentException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static List<SearchPlan.Drawn> drawn(JsonNode trials) {
        List<SearchPlan.Drawn> drawn = new ArrayList<>();
        trials.forEach(trial -> drawn.add(
                new SearchPlan.Drawn(texts(trial, "values"), Until.parse(NumberedJson.text(trial, "until")))));
        return drawn;
    }

    private static List<RungResult> rungs(JsonNode rungs, SearchPlan plan) {
        List<RungResult> results = new ArrayList<>();
        for (JsonNode rung : rungs) {
            List<RungResult.Standing> standings = new ArrayList<>();
            for (JsonNode one : array(rung, "standings")) {
                long trial = number(one, "trial");
                if (trial < 1 || trial > plan.drawn().size()) {
                    throw new IllegalArgumentException("there is no trial %d among %d"
                            .formatted(trial, plan.drawn().size()));
                }
                standings.add(new RungResult.Standing(
                        (int) trial,
                        one.path("ended").asBoolean(false),
                        best(one.path("best")),
                        one.path("seconds").asDouble(0)));
            }
            results.add(new RungResult(standings, number(rung, "promoted").intValue()));
        }
        if (results.size() >= Math.max(1, plan.rungs().size())) {
            throw new IllegalArgumentException("%d rungs are decided; there are %d, and the last needs no decision"
                    .formatted(results.size(), plan.rungs().size()));
        }
        return results;
    }

    private static Optional<Measure> best(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new Measure(
                        MeasureKind.valueOf(NumberedJson.text(json, "measure").toUpperCase(Locale.ROOT)),
                        json.path("value").asDouble(Double.NaN),
                        json.path("version").asLong(-1)));
    }

    private static JsonNode array(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isArray()) {
            throw new IllegalArgumentException("'%s' must be an array".formatted(member));
        }
        return value;
    }

    private static List<String> texts(JsonNode json, String member) {
        List<String> texts = new ArrayList<>();
        for (JsonNode value : array(json, member)) {
            if (!value.isString()) {
                throw new IllegalArgumentException("'%s' must be an array of texts".formatted(member));
            }
            texts.add(value.asString());
        }
        return texts;
    }

    private static Long number(JsonNode json, String member) {
        JsonNode value = json.path(member);
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw new IllegalArgumentException("'%s' must be a whole number".formatted(member));
        }
        return value.asLong();
    }
}
