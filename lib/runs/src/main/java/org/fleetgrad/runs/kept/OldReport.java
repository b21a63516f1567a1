package org.fleetgrad.runs.kept;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The facts of a run that began before runs wrote {@code run.json}: what its report says. Result and settings stand at the beginning of
 * a report, so no more is read of it, however many activations and points follow.
 */
final class OldReport {

    /** The report of a run of workers, and the result of a pipeline. */
    private static final List<String> NAMES = List.of("report.json", "pipeline.json");

    /** A result holds a network's name, which may be a whole graph. */
    private static final int MOST_BYTES = 1 << 20;

    /** What follows the settings stays unread. */
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private OldReport() {}

    /** Returns the name of the report in a folder; empty if there is none. A link is none. */
    static Optional<String> in(Path folder) {
        return NAMES.stream()
                .filter(name -> Files.isRegularFile(folder.resolve(name), LinkOption.NOFOLLOW_LINKS))
                .findFirst();
    }

    /**
     * Reads the beginning of a report. The run ended when it was written.
     *
     * @param name as {@link #in} returns it
     * @throws IOException if it is missing or cannot be read
     * @throws IllegalArgumentException if it is not a report
     */
    static RunFacts read(Path folder, String name, SmallFiles files) throws IOException {
        Instant written = Files.getLastModifiedTime(folder.resolve(name)).toInstant();
        byte[] head = files.read(folder.resolve(name), MOST_BYTES);
        Map<String, JsonNode> members = new LinkedHashMap<>();
        boolean isPipeline = name.equals(NAMES.get(1));
        try (JsonParser parser = MAPPER.createParser(head)) {
            if (isPipeline) {
                members.put("result", MAPPER.readTree(parser));
            } else {
                readUntilSettings(parser, members);
            }
        } catch (JacksonException malformed) {
            if (!members.containsKey("result")) {
                throw new IllegalArgumentException("not a report: " + malformed.getOriginalMessage(), malformed);
            }
        }
        JsonNode result = members.get("result");
        if (result == null || !result.isObject() || !result.path("network").isString()) {
            throw new IllegalArgumentException("not a report: it has no result of a network");
        }
        Map<String, Object> figures = ResultFigures.of(result);
        double seconds = figures.get("seconds") instanceof Number number ? number.doubleValue() : 0;
        return new RunFacts(
                isPipeline ? "pipeline" : "train",
                RunLabel.NONE,
                written.minusMillis(Math.round(1000 * Math.max(0, Math.min(seconds, 1e9)))),
                RunProcess.NONE,
                settings(members.get("settings")),
                Printable.text(result.path("network").asString(""), FactsJson.LONGEST_NETWORK),
                Printable.text(result.path("dataset").asString("")),
                ResultFigures.measure(figures),
                figures,
                Optional.of(new RunEnd(RunState.ENDED, written, "")));
    }

    private static void readUntilSettings(JsonParser parser, Map<String, JsonNode> members) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            return;
        }
        while (parser.nextToken() == JsonToken.PROPERTY_NAME && !members.containsKey("settings")) {
            String member = parser.currentName();
            parser.nextToken();
            members.put(member, MAPPER.readTree(parser));
        }
    }

    private static Map<String, String> settings(@Nullable JsonNode json) {
        Map<String, String> settings = new LinkedHashMap<>();
        if (json != null) {
            json.properties()
                    .forEach(setting -> settings.put(
                            Printable.text(setting.getKey()),
                            Printable.text(
                                    setting.getValue().isString()
                                            ? setting.getValue().asString()
                                            : setting.getValue().toString())));
        }
        return settings;
    }
}
