package org.fleetgrad.cli.search;

import org.fleetgrad.runs.search.SearchResult;
import org.fleetgrad.runs.search.TrialResult;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes a search for programs: one JSON object in a line. */
final class SearchOutput {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private SearchOutput() {}

    static String json(SearchResult result) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("name", result.plan().name());
        json.put("folder", result.folder().toString());
        json.put("method", result.plan().method().toString());
        json.put("open", result.open());
        SearchText.best(result).ifPresent(best -> json.put("best", best.trial().name()));
        ArrayNode trials = json.putArray("trials");
        result.trials().forEach(trial -> trials.add(trial(trial)));
        return MAPPER.writeValueAsString(json);
    }

    private static ObjectNode trial(TrialResult trial) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("trial", trial.trial().number());
        json.put("name", trial.trial().name());
        json.put("folder", trial.trial().folder().toString());
        json.set("values", MAPPER.valueToTree(trial.trial().values()));
        json.put("state", trial.state());
        json.put("rung", trial.rung());
        trial.best().ifPresent(best -> json.set("best", MAPPER.valueToTree(best.members())));
        if (trial.version() >= 0) {
            json.put("version", trial.version());
        }
        json.put("seconds", trial.seconds());
        if (!trial.note().isEmpty()) {
            json.put("note", trial.note());
        }
        return json;
    }
}
