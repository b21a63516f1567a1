package org.fleetgrad.runs.kept;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Facts as JSON. Other programs may have written what is read here: every text is cut and made printable. */
final class FactsJson {

    /** A later format that this build cannot read has a larger number. */
    private static final int FORMAT = 1;

    private static final int MOST_SETTINGS = 200;
    /** A name may be a whole graph; people see its beginning. */
    static final int LONGEST_NETWORK = 16 << 10;

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private FactsJson() {}

    static byte[] write(RunFacts facts) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("format", FORMAT);
        json.put("command", facts.command());
        facts.label().name().ifPresent(name -> json.put("name", name));
        if (!facts.label().tags().isEmpty()) {
            json.set("tags", MAPPER.valueToTree(facts.label().tags()));
        }
        facts.label().note().ifPresent(note -> json.put("note", note));
        json.put("began", facts.began().toString());
        ObjectNode process = json.putObject("process");
        process.put("pid", facts.process().pid());
        process.put("start", facts.process().start());
        process.put("host", facts.process().host());
        json.put(
                "network",
                facts.network()
                        .substring(0, Math.min(LONGEST_NETWORK, facts.network().length())));
        json.put("dataset", facts.dataset());
        facts.best().ifPresent(best -> json.set("best", MAPPER.valueToTree(best.members())));
        facts.end().ifPresent(end -> {
            ObjectNode ended = json.putObject("end");
            ended.put("how", end.how().toString());
            ended.put("at", end.at().toString());
            ended.put("reason", end.reason());
        });
        json.set("result", MAPPER.valueToTree(facts.figures()));
        ObjectNode settings = json.putObject("settings");
        facts.settings().entrySet().stream()
                .limit(MOST_SETTINGS)
                .forEach(setting -> settings.put(setting.getKey(), Printable.text(setting.getValue())));
        return MAPPER.writeValueAsBytes(json);
    }

    /** @throws IllegalArgumentException if it is not what {@link #write} wrote; the message says where */
    static RunFacts read(byte[] bytes) {
        JsonNode json = NumberedJson.read(bytes, FORMAT);
        try {
            return new RunFacts(
                    text(json, "command"),
                    label(json),
                    Instant.parse(text(json, "began")),
                    process(json.path("process")),
                    settings(json.path("settings")),
                    Printable.text(json.path("network").asString(""), LONGEST_NETWORK),
                    Printable.text(json.path("dataset").asString("")),
                    best(json.path("best")),
                    ResultFigures.of(json.path("result")),
                    end(json.path("end")));
        } catch (DateTimeException | JacksonException wrong) {
            throw new IllegalArgumentException(String.valueOf(wrong.getMessage()), wrong);
        }
    }

    private static String text(JsonNode json, String member) {
        return Printable.text(NumberedJson.text(json, member));
    }

    /** A label that a run would not take is one that somebody else wrote. */
    private static RunLabel label(JsonNode json) {
        List<String> tags = new ArrayList<>();
        json.path("tags").forEach(tag -> tags.add(tag.asString("")));
        return new RunLabel(
                Optional.ofNullable(optional(json, "name")), tags, Optional.ofNullable(optional(json, "note")));
    }

    private static @Nullable String optional(JsonNode json, String member) {
        return json.has(member) ? text(json, member) : null;
    }

    private static RunProcess process(JsonNode json) {
        return new RunProcess(json.path("pid").asLong(0), text(json, "start"), text(json, "host"));
    }

    private static Map<String, String> settings(JsonNode json) {
        Map<String, String> settings = new LinkedHashMap<>();
        json.properties().stream()
                .limit(MOST_SETTINGS)
                .forEach(setting -> settings.put(
                        Printable.text(setting.getKey()),
                        Printable.text(setting.getValue().asString(""))));
        return settings;
    }

    private static Optional<Measure> best(JsonNode json) {
        if (json.isMissingNode()) {
            return Optional.empty();
        }
        String named = text(json, "measure").toUpperCase(Locale.ROOT);
        return Optional.of(new Measure(
                MeasureKind.valueOf(named),
                json.path("value").asDouble(Double.NaN),
                json.path("version").asLong(-1)));
    }

    private static Optional<RunEnd> end(JsonNode json) {
        return json.isMissingNode()
                ? Optional.empty()
                : Optional.of(new RunEnd(
                        RunState.valueOf(text(json, "how").toUpperCase(Locale.ROOT)),
                        Instant.parse(text(json, "at")),
                        text(json, "reason")));
    }
}
