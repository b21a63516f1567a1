package org.fleetgrad.cli.runs;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.RunFacts;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes runs for programs: one JSON object in a line. */
final class RunJson {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private RunJson() {}

    static String list(Path place, List<KeptRun> runs, Instant now) {
        ObjectNode json = MAPPER.createObjectNode();
        json.put("folder", place.toString());
        ArrayNode array = json.putArray("runs");
        runs.forEach(run -> array.add(summary(run, now)));
        return MAPPER.writeValueAsString(json);
    }

    static String show(KeptRun run, Instant now) {
        return MAPPER.writeValueAsString(whole(run, now));
    }

    /** Everything that is known of a run. */
    static ObjectNode whole(KeptRun run, Instant now) {
        ObjectNode json = summary(run, now);
        RunFacts facts = run.facts();
        if (facts.process().pid() != 0) {
            ObjectNode process = json.putObject("process");
            process.put("pid", facts.process().pid());
            process.put("host", facts.process().host());
        }
        json.set("result", MAPPER.valueToTree(facts.figures()));
        json.set("settings", MAPPER.valueToTree(facts.settings()));
        return json;
    }

    private static ObjectNode summary(KeptRun run, Instant now) {
        RunFacts facts = run.facts();
        ObjectNode json = MAPPER.createObjectNode();
        json.put("title", run.title());
        json.put("folder", run.folder().toString());
        facts.label().name().ifPresent(name -> json.put("name", name));
        json.set("tags", MAPPER.valueToTree(facts.label().tags()));
        facts.label().note().ifPresent(note -> json.put("note", note));
        json.put("state", run.state().toString());
        if (!run.problem().isEmpty()) {
            json.put("problem", run.problem());
        }
        json.put("command", facts.command());
        json.put("network", facts.network());
        json.put("dataset", facts.dataset());
        facts.best().ifPresent(best -> json.set("best", MAPPER.valueToTree(best.members())));
        json.put("began", facts.began().toString());
        facts.end().ifPresent(end -> {
            json.put("ended", end.at().toString());
            if (!end.reason().isEmpty()) {
                json.put("reason", end.reason());
            }
        });
        run.duration(now).ifPresent(time -> json.put("seconds", time.toMillis() / 1000.0));
        if (facts.figures().get("cost") instanceof Number cost) {
            json.put("cost", cost.doubleValue());
        }
        return json;
    }
}
