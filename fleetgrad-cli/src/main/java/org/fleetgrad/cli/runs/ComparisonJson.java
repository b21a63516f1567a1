package org.fleetgrad.cli.runs;

import java.time.Instant;
import org.fleetgrad.runs.kept.RunComparison;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a comparison for programs: one JSON object in a line. */
final class ComparisonJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private ComparisonJson() {}

    static String of(RunComparison comparison, Instant now) {
        ObjectNode json = MAPPER.createObjectNode();
        ArrayNode runs = json.putArray("runs");
        comparison.runs().forEach(run -> runs.add(RunJson.whole(run, now)));
        json.set("settings", MAPPER.valueToTree(comparison.settings()));
        ObjectNode curves = json.putObject("curves");
        comparison.curves().forEach((curve, ofRuns) -> {
            ArrayNode each = curves.putArray(curve.column());
            ofRuns.forEach(points -> {
                ArrayNode array = each.addArray();
                points.forEach(point -> array.addArray().add(point.x()).add(point.y()));
            });
        });
        return MAPPER.writeValueAsString(json);
    }
}
