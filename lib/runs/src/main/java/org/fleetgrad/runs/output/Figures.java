package org.fleetgrad.runs.output;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.reports.BestResult;
import org.fleetgrad.reports.RunResult;
import org.jspecify.annotations.Nullable;

/** Turns figures into text. */
public final class Figures {

    private Figures() {}

    /** Describes a run's state in one line: first what changes, and what a narrow terminal must show. */
    public static String progress(
            Task task, StatusReply status, double samplesPerSecond, double seconds, Optional<TimeLeft> left) {
        boolean isText = task instanceof LanguageModel;
        return String.format(
                Locale.ROOT,
                "%.0f s%s  version %,d  %s  loss %s  %,.0f %s/s  staleness %.1f (worst %d)  %d workers",
                seconds,
                left.map(rest -> " (%s)".formatted(rest.text())).orElse(""),
                status.version(),
                heldOut(task, status),
                number(status.loss(), "%.3f"),
                samplesPerSecond * task.predictions(),
                isText ? "tokens" : "samples",
                status.meanStaleness(),
                status.worstStaleness(),
                status.workers().size());
    }

    /** Says how good the newest evaluated version is. */
    public static String heldOut(Task task, StatusReply status) {
        return heldOut(task, HeldOutFigures.of(status));
    }

    /** Says how good a version is. */
    public static String heldOut(Task task, HeldOutFigures figures) {
        if (task.question() instanceof Regression) {
            return numbers(figures.loss(), figures.regression());
        }
        if (task.question() instanceof Labels) {
            return labels(figures.loss(), figures.labels());
        }
        return task instanceof LanguageModel
                ? text(
                        figures.loss(),
                        figures.text() == null ? null : figures.text().bitsPerCharacter())
                : "accuracy " + percent(figures.accuracy()) + twoClasses(figures.binary());
    }

    /** Says how good the model of a run is. */
    public static String quality(RunResult result) {
        if (result.rmse() != null && result.mae() != null) {
            return numbers(result.heldOutLoss(), new RegressionFigures(result.rmse(), result.mae(), result.r2()));
        }
        if (result.labels() != null) {
            return labels(result.heldOutLoss(), result.labels());
        }
        if (result.f1() != null && result.precision() != null && result.recall() != null) {
            return "accuracy " + percent(result.accuracy())
                    + twoClasses(new BinaryFigures(result.auc(), result.f1(), result.precision(), result.recall()));
        }
        return result.perplexity() == null
                ? "accuracy " + percent(result.accuracy())
                : text(result.heldOutLoss(), result.bitsPerCharacter());
    }

    /** Writes how well two classes are told apart; nothing of other questions. */
    private static String twoClasses(@Nullable BinaryFigures figures) {
        return figures == null
                ? ""
                : String.format(Locale.ROOT, " (AUC %s, F1 %.4f)", number(figures.auc(), "%.4f"), figures.f1());
    }

    /** Writes how good predicted labels are; a dash before the first evaluation. */
    private static String labels(@Nullable Double heldOutLoss, @Nullable LabelFigures figures) {
        if (heldOutLoss == null || figures == null) {
            return "micro F1 -";
        }
        String area = number(figures.macroAuc(), "%.4f");
        return String.format(
                Locale.ROOT,
                "micro F1 %.4f (macro F1 %.4f, AUC %s%s), %s of the rows right, held-out loss %.4f",
                figures.microF1(),
                figures.macroF1(),
                area,
                figures.oneSided() == 0 || figures.macroAuc() == null
                        ? ""
                        : " of %,d of %,d labels".formatted(figures.labels() - figures.oneSided(), figures.labels()),
                percent(figures.exactMatch()),
                heldOutLoss);
    }

    /** Writes how good predicted numbers are; a dash before the first evaluation. */
    public static String numbers(@Nullable Double heldOutLoss, @Nullable RegressionFigures figures) {
        if (heldOutLoss == null || figures == null) {
            return "R2 -";
        }
        return String.format(
                Locale.ROOT,
                "R2 %s (RMSE %.4g, MAE %.4g), held-out loss %.4f",
                number(figures.r2(), "%.4f"),
                figures.rmse(),
                figures.mae(),
                heldOutLoss);
    }

    /** Writes the mean loss of training samples; {@code accuracy}, from 0 to 1, says something of samples with a class only. */
    public static String training(Task task, double loss, double accuracy) {
        if (task.question() instanceof Regression || task.question() instanceof Labels) {
            return String.format(Locale.ROOT, "loss %.4f", loss);
        }
        return task instanceof LanguageModel
                ? String.format(Locale.ROOT, "loss %.4f (perplexity %.2f)", loss, Math.exp(loss))
                : String.format(Locale.ROOT, "loss %.4f, %.1f%% of the training samples right", loss, 100 * accuracy);
    }

    /** Writes the held-out loss of a text, with its perplexity and its bits a character. */
    public static String text(@Nullable Double heldOutLoss, @Nullable Double bitsPerCharacter) {
        if (heldOutLoss == null) {
            return "held-out loss -";
        }
        String bits =
                bitsPerCharacter == null ? "" : String.format(Locale.ROOT, ", %.3f bits a character", bitsPerCharacter);
        return String.format(
                Locale.ROOT, "held-out loss %.4f (perplexity %.2f%s)", heldOutLoss, Math.exp(heldOutLoss), bits);
    }

    /** Describes the newest evaluation. */
    private static String heldOut(StatusReply status) {
        String version = Optional.ofNullable(status.accuracyVersion())
                .map(String::valueOf)
                .orElse("-");
        if (status.regression() != null) {
            return "%s at version %s".formatted(numbers(status.heldOutLoss(), status.regression()), version);
        }
        if (status.labels() != null) {
            return "%s at version %s".formatted(labels(status.heldOutLoss(), status.labels()), version);
        }
        return status.text() != null
                ? "%s at version %s".formatted(text(status.heldOutLoss(), status.bitsPerCharacter()), version)
                : "accuracy %s%s%s at version %s, held-out loss %s"
                        .formatted(
                                percent(status.accuracy()),
                                twoClasses(status.binary()),
                                status.accuracyTop5() == null
                                        ? ""
                                        : " (top-5 %s)".formatted(percent(status.accuracyTop5())),
                                version,
                                number(status.heldOutLoss(), "%.4f"));
    }

    /** Describes a server's state in a few lines. */
    public static String status(StatusReply status) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "version %,d of generation %s, %s, %s, learning rate %s%n"
                        + "%d tensors, %,d parameters, %,d samples trained, loss %s%n"
                        + "%s%n"
                        + "staleness %.2f mean, %d worst; pushes %s",
                status.version(),
                status.generation(),
                status.mode(),
                status.optimizer(),
                (float) status.learningRate(),
                status.tensors(),
                status.parameters(),
                status.samples(),
                number(status.loss(), "%.4f"),
                heldOut(status),
                status.meanStaleness(),
                status.worstStaleness(),
                status.pushes()));
        if (status.work() != null) {
            text.append(System.lineSeparator()).append(work(status.work()));
        }
        for (StatusReply.Worker worker : status.workers()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%n  %s on %s: %,d gradients, lease ends in %.0f s (%s)",
                    worker.id(),
                    worker.device(),
                    worker.applied(),
                    worker.leaseMs() / 1000.0,
                    worker.description()));
        }
        return text.toString();
    }

    /** Says how much of the work is done. */
    private static String work(StatusReply.Work work) {
        String underWay = "%d shards under way".formatted(work.shardsLeased());
        double epochs = (double) work.samples() / Math.max(1, work.epochSamples());
        if (work.epochs() == 0) {
            return String.format(
                    Locale.ROOT, "work: %.2f epochs of %s, without an end; %s", epochs, work.dataset(), underWay);
        }
        return String.format(
                Locale.ROOT,
                "work: %.0f%%, %.2f of %d epochs of %s; %s",
                Math.floor(100 * Math.min(1, epochs / work.epochs())),
                epochs,
                work.epochs(),
                work.dataset(),
                work.done() ? "done" : underWay);
    }

    /** Describes the servers of a run, one line for each server and its partition of the parameters. */
    public static String partitions(List<StatusReply> servers) {
        StringJoiner text = new StringJoiner(System.lineSeparator());
        for (int i = 0; i < servers.size(); i++) {
            StatusReply status = servers.get(i);
            text.add(String.format(
                    Locale.ROOT,
                    "partition %d/%d: version %,d of generation %s, %,d parameters, %d workers",
                    i,
                    servers.size(),
                    status.version(),
                    status.generation(),
                    status.parameters(),
                    status.workers().size()));
        }
        return text.toString();
    }

    /**
     * Says which version of a run is the best, and how to get it if it is not the model.
     *
     * @param model the file that the run wrote into its folder
     */
    public static String best(BestResult best, Path model) {
        String quality = best.accuracy() == null
                ? "held-out loss " + number(best.heldOutLoss(), "%.4f")
                : "accuracy " + percent(best.accuracy());
        String version = String.format(Locale.ROOT, "version %,d", best.version());
        return best.written()
                ? "the model is the best evaluated version of the run, %s (%s)".formatted(version, quality)
                : "the best evaluated version of the run is %s (%s); it is kept: fleetgrad model export --best --checkpoints %s --out best.safetensors"
                        .formatted(version, quality, model.getParent());
    }

    /** Writes a share as a percentage; a dash if there is none yet. */
    public static String percent(@Nullable Double share) {
        return share == null ? "-" : String.format(Locale.ROOT, "%.2f%%", share * 100);
    }

    private static String number(@Nullable Double value, String format) {
        return value == null ? "-" : String.format(Locale.ROOT, format, value);
    }
}
