package org.fleetgrad.runs.search;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.files.AtomicFile;
import org.fleetgrad.runs.settings.Until;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * The process of a trial, as its folder shows it: it writes what it is, takes checkpoints, and says how it ended. It may be killed
 * between any two of its writes, as often as the test says.
 */
final class FakeTraining implements TrialTraining {

    /** The search and its trial are gone, as with {@code kill -9}. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** What was trained: a trial and a place, in the order in which they ended. */
    final List<String> ended = new ArrayList<>();

    /** Epochs of work, done twice or not, by trial. */
    final double[] worked;

    private final int failing;
    private int writesLeft = Integer.MAX_VALUE;

    /** @param failing number of a trial that fails each time; 0 for none */
    FakeTraining(int trials, int failing) {
        this.worked = new double[trials + 1];
        this.failing = failing;
    }

    void killAfter(int writes) {
        writesLeft = writes;
    }

    private void written() {
        writesLeft--;
        if (writesLeft < 0) {
            throw new Killed();
        }
    }

    /** A score that does not depend on how the trial came there; a longer training is never worse. */
    static double accuracy(int trial, double epochs) {
        double limit = 0.3 + (trial * 7919 % 13) / 20.0;
        return limit * (1 - Math.exp(-epochs));
    }

    private static String option(List<String> words, String name) {
        return words.stream()
                .filter(word -> word.startsWith(name + "="))
                .map(word -> word.substring(name.length() + 1))
                .reduce((first, last) -> last)
                .orElse("");
    }

    @Override
    public String train(Trial trial, List<String> words) throws IOException {
        Path folder = trial.folder();
        Path progress = folder.resolve("checkpoints/checkpoint-000001/progress");
        boolean isResumed = option(words, "--resume").equals(folder.toString());
        double from = isResumed ? Double.parseDouble(Files.readString(progress)) : 0;
        if (!isResumed && Files.exists(progress)) {
            throw new AssertionError("a run with checkpoints was begun again: " + words);
        }
        Until until = Until.parse(option(words, "--until"));
        Files.createDirectories(folder);
        written();
        facts(trial, until, from, Optional.empty(), "");
        written();
        if (trial.number() == failing) {
            facts(trial, until, from, Optional.of("failed"), "the loss is no number");
            written();
            return "fleetgrad: the loss is no number";
        }
        Files.createDirectories(folder.resolve("checkpoints"));
        written();
        double half = (from + until.amount()) / 2;
        for (double now : new double[] {half, until.amount()}) {
            Files.createDirectories(progress.getParent());
            AtomicFile.write(progress, Double.toString(now).getBytes(StandardCharsets.UTF_8));
            worked[trial.number()] += now - from;
            from = now;
            written();
        }
        facts(trial, until, from, Optional.of("ended"), "");
        ended.add(trial.number() + " until " + until);
        written();
        return "";
    }

    private static void facts(Trial trial, Until until, double epochs, Optional<String> end, String reason)
            throws IOException {
        ObjectNode json = JsonMapper.shared().createObjectNode();
        json.put("format", 1).put("command", "train").put("name", trial.name());
        json.put("began", Instant.EPOCH.toString());
        json.putObject("process").put("pid", 0).put("start", "").put("host", "");
        json.putObject("settings").put("until", until.toString());
        if (epochs > 0) {
            json.putObject("best")
                    .put("measure", "accuracy")
                    .put("value", accuracy(trial.number(), epochs))
                    .put("version", 10);
        }
        end.ifPresent(how -> json.putObject("end")
                .put("how", how)
                .put("at", Instant.EPOCH.toString())
                .put("reason", reason));
        json.set("result", JsonMapper.shared().valueToTree(Map.of("version", 10, "seconds", 1.5)));
        AtomicFile.write(trial.folder().resolve("run.json"), JsonMapper.shared().writeValueAsBytes(json));
    }
}
