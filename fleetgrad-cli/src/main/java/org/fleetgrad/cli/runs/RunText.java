package org.fleetgrad.cli.runs;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.fleetgrad.cli.display.Amounts;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.NetworkTitle;
import org.fleetgrad.runs.kept.KeptRun;
import org.fleetgrad.runs.kept.RunFacts;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.resume.ResumeParts;
import org.fleetgrad.runs.resume.ResumePath;

/** Describes a run in lines of text. */
final class RunText {

    private RunText() {}

    static String of(KeptRun run, Instant now) {
        RunFacts facts = run.facts();
        List<String> lines = new ArrayList<>();
        lines.add("%s: %s".formatted(run.title(), state(run)));
        lines.add("folder: " + Printable.text(run.folder().toString()));
        if (!facts.label().tags().isEmpty()) {
            lines.add("tags: " + String.join(", ", facts.label().tags()));
        }
        facts.label().note().ifPresent(note -> lines.add("note: " + note));
        if (!facts.network().isEmpty()) {
            lines.add("trains %s on %s".formatted(NetworkTitle.of(facts.network()), facts.dataset()));
        }
        facts.best()
                .ifPresent(best -> lines.add("best held-out " + best.text()
                        + (best.version() < 0 ? "" : String.format(Locale.ROOT, ", of version %,d", best.version()))));
        lines.add("began %s (%s ago)%s"
                .formatted(
                        facts.began(),
                        Amounts.age(Duration.between(facts.began(), now)),
                        run.duration(now).isPresent() ? ", took " + RunTable.duration(run.duration(now)) : ""));
        add(lines, "result:", facts.figures());
        add(lines, "settings:", facts.settings());
        return String.join(System.lineSeparator(), lines);
    }

    private static String state(KeptRun run) {
        RunFacts facts = run.facts();
        return switch (run.state()) {
            case RUNNING ->
                "running as process %d; fleetgrad runs stop ends it in order"
                        .formatted(facts.process().pid());
            case ENDED -> "ended";
            case STOPPED -> "stopped; " + resume(run);
            case FAILED ->
                "failed: "
                        + facts.end()
                                .map(end -> end.reason().lines().findFirst().orElse(""))
                                .orElse("");
            case KILLED ->
                "killed: process %d is gone and did not say why; %s"
                        .formatted(facts.process().pid(), resume(run));
            case ELSEWHERE ->
                "began on %s, whose processes are not seen from here"
                        .formatted(facts.process().host());
            case UNREADABLE -> "its facts cannot be read: " + run.problem();
        };
    }

    /** Says how the run goes on in its folder. */
    static String resume(KeptRun run) {
        String folder = Printable.text(run.folder().toString());
        if (run.facts().command().equals("pipeline")) {
            return "fleetgrad pipeline --resume %s, with the same options, continues it".formatted(folder);
        }
        return isBegun(run.folder().resolve(ResumePath.CHECKPOINTS))
                ? "fleetgrad train --resume %s --out %s, with the same options, continues it".formatted(folder, folder)
                : "it has no checkpoint: fleetgrad train --out %s, with the same options, begins it again"
                        .formatted(folder);
    }

    private static boolean isBegun(Path checkpoints) {
        try {
            return ResumePath.hasCheckpoints(checkpoints) || ResumeParts.count(checkpoints) > 0;
        } catch (RunFailedException unreadable) {
            return true;
        }
    }

    private static void add(List<String> lines, String head, Map<String, ?> values) {
        if (!values.isEmpty()) {
            lines.add(head);
            values.forEach((name, value) -> lines.add("  %s: %s".formatted(name, value)));
        }
    }
}
