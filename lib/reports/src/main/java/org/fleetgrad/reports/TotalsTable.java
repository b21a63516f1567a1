package org.fleetgrad.reports;

import static org.fleetgrad.reports.chart.Markup.format;
import static org.fleetgrad.reports.chart.Markup.text;

import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.jspecify.annotations.Nullable;

/** Writes a run's totals, next to the baseline's if there is one. */
final class TotalsTable {

    private static final String NOTHING = "–";

    private final Report report;
    private final Optional<Baseline> machine;
    private final StringBuilder rows = new StringBuilder();

    private TotalsTable(Report report) {
        this.report = report;
        this.machine = Optional.ofNullable(report.baseline());
    }

    static String write(Report report) {
        return new TotalsTable(report).write();
    }

    private String write() {
        RunResult run = report.result();
        writeQuality(run);
        if (run.best() != null) {
            own("best evaluated version", best(run.best()));
        }
        compare("time to the target", run.secondsToTarget(), Baseline::secondsToTarget, TotalsTable::seconds);
        compare("time", run.seconds(), Baseline::seconds, TotalsTable::seconds);
        compare("samples trained", (double) run.samples(), one -> (double) one.samples(), TotalsTable::whole);
        compare("samples per second", run.samplesPerSecond(), Baseline::samplesPerSecond, TotalsTable::whole);
        if (run.tokensPerSecond() != null) {
            compare("tokens per second", run.tokensPerSecond(), Baseline::tokensPerSecond, TotalsTable::whole);
        }
        if (run.cost() != null || machine.map(Baseline::cost).isPresent()) {
            compare("cost", run.cost(), Baseline::cost, this::money);
        }
        compare("workers, at most", (double) run.workers(), one -> (double) one.workers(), TotalsTable::whole);
        own("activations", format("%,d: %,d cold, %,d killed", run.activations(), run.coldStarts(), run.killed()));
        if (run.gbSeconds() != null) {
            own("GB-seconds", format("%,.1f", run.gbSeconds()));
        }
        if (run.gbSecondsUnrecorded() != null) {
            own("GB-seconds of tries without a record, estimated", format("%,.1f", run.gbSecondsUnrecorded()));
        }
        if (run.peakMemoryMiB() != null) {
            own("peak memory of a worker that the system cannot reclaim", format("%,.0f MiB", run.peakMemoryMiB()));
        }
        own("bytes exchanged", format("%,.1f MB", run.bytes() / 1e6));
        own("samples lost, doubled", format("%,d, %,d", run.samplesLost(), run.samplesDoubled()));
        own("stale gradients dropped", format("%,d", run.stale()));
        String head = "<tr><th></th><th>this run</th>"
                + (machine.isPresent() ? "<th>one machine</th><th>ratio</th></tr>" : "</tr>");
        return "<table>" + head + rows + "</table><p class=\"key\">" + note() + "</p>";
    }

    /** Shows of a text how well each token is predicted, where most are predicted wrongly even by a good model; of numbers the errors; of labels how
     * many are right. */
    private void writeQuality(RunResult run) {
        if (run.showsLoss()) {
            compare("held-out loss", run.heldOutLoss(), Baseline::heldOutLoss, TotalsTable::precise);
            if (run.rmse() != null) {
                own("R²", run.r2() == null ? NOTHING : format("%.4f", run.r2()));
                own("root of the mean squared error", format("%,.4g", run.rmse()));
                own("mean absolute error", run.mae() == null ? NOTHING : format("%,.4g", run.mae()));
                return;
            }
            if (run.labels() != null) {
                writeLabels(run.labels());
                return;
            }
            own("perplexity", run.perplexity() == null ? NOTHING : format("%.2f", run.perplexity()));
            own("bits a character", run.bitsPerCharacter() == null ? NOTHING : format("%.3f", run.bitsPerCharacter()));
            return;
        }
        compare("accuracy", run.accuracy(), Baseline::accuracy, share -> format("%.2f%%", share * 100));
        if (run.f1() != null) {
            own("area under the ROC curve", run.auc() == null ? NOTHING : precise(run.auc()));
            own("F1", precise(run.f1()));
            own("precision", run.precision() == null ? NOTHING : precise(run.precision()));
            own("recall", run.recall() == null ? NOTHING : precise(run.recall()));
        }
        own("top-5 accuracy", run.accuracyTop5() == null ? NOTHING : format("%.2f%%", run.accuracyTop5() * 100));
        own("held-out loss", run.heldOutLoss() == null ? NOTHING : precise(run.heldOutLoss()));
    }

    private void writeLabels(LabelFigures labels) {
        own("micro F1", precise(labels.microF1()));
        own("macro F1", precise(labels.macroF1()));
        own("rows of which all labels are right", format("%.2f%%", labels.exactMatch() * 100));
        own("share of wrong labels (Hamming loss)", precise(labels.hammingLoss()));
        own("mean area under the ROC curves", labels.macroAuc() == null ? NOTHING : precise(labels.macroAuc()));
    }

    private String note() {
        return machine.map(one -> "One machine: " + text(one.reportPath()))
                .orElse("No baseline: <code>--baseline</code> first trains on one machine with the same settings,"
                        + " <code>--baseline-from DIR</code> takes an earlier run's report.");
    }

    private void compare(
            String what,
            @Nullable Double run,
            Function<Baseline, @Nullable Double> ofMachine,
            DoubleFunction<String> shown) {
        rows.append("<tr><th>").append(what).append("</th>").append(cell(run, shown));
        if (machine.isPresent()) {
            Double one = ofMachine.apply(machine.get());
            rows.append(cell(one, shown));
            rows.append(run != null && one != null && one != 0 ? format("<td>%.2f</td>", run / one) : "<td></td>");
        }
        rows.append("</tr>");
    }

    private void own(String what, String shown) {
        rows.append("<tr><th>").append(what).append("</th><td>").append(shown).append("</td>");
        rows.append(machine.isPresent() ? "<td></td><td></td></tr>" : "</tr>");
    }

    private static String cell(@Nullable Double figure, DoubleFunction<String> shown) {
        return "<td>" + (figure == null ? NOTHING : shown.apply(figure)) + "</td>";
    }

    private static String best(BestResult best) {
        String quality = "";
        if (best.accuracy() != null) {
            quality = format(": %.2f%%", best.accuracy() * 100);
        } else if (best.heldOutLoss() != null) {
            quality = format(": held-out loss %.4f", best.heldOutLoss());
        }
        return format("%,d%s%s", best.version(), quality, best.written() ? ", the model" : "");
    }

    private static String seconds(double seconds) {
        return format("%,.1f s", seconds);
    }

    private static String precise(double loss) {
        return format("%.4f", loss);
    }

    private static String whole(double count) {
        return format("%,.0f", count);
    }

    private String money(double cost) {
        return format("%.6f %s", cost, text(report.prices().currency()));
    }
}
