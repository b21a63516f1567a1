package org.fleetgrad.cli.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What is known of a model's training, in the order in which a card says it. */
final class RunFacts {

    private static final long MOST_REPORT_BYTES = 64 << 20;

    /** The names in reports, and in the notes of checkpoints, with what people call them. */
    private static final Map<String, String> NAMES = names();

    private RunFacts() {}

    private static Map<String, String> names() {
        Map<String, String> names = new LinkedHashMap<>();
        names.put("samples", "samples trained on");
        names.put("accuracy", "held-out accuracy");
        names.put("accuracyTop5", "held-out accuracy, top 5");
        names.put("heldOutLoss", "held-out loss");
        names.put("perplexity", "held-out perplexity");
        names.put("r2", "held-out R²");
        names.put("rmse", "held-out RMSE");
        names.put("mae", "held-out MAE");
        names.put("auc", "held-out AUC");
        names.put("f1", "held-out F1");
        return names;
    }

    /** Takes the notes of a checkpoint. */
    static Map<String, String> of(Map<String, String> notes) {
        Map<String, String> facts = new LinkedHashMap<>();
        NAMES.forEach((name, words) -> {
            if (notes.containsKey(name)) {
                facts.put(words, notes.getOrDefault(name, ""));
            }
        });
        return facts;
    }

    /** Takes the report of a run; nothing if there is none, since a model is one without its report. */
    static Map<String, String> ofReport(Path run) {
        Path file = run.resolve("report.json");
        Map<String, String> notes = new LinkedHashMap<>();
        try {
            if (!Files.isRegularFile(file) || Files.size(file) > MOST_REPORT_BYTES) {
                return Map.of();
            }
            JsonNode result =
                    JsonMapper.shared().readTree(Files.readAllBytes(file)).path("result");
            NAMES.keySet().forEach(name -> {
                if (result.path(name).isNumber()) {
                    notes.put(name, result.path(name).asString());
                }
            });
        } catch (IOException | JacksonException unreadable) {
            return Map.of();
        }
        return of(notes);
    }
}
