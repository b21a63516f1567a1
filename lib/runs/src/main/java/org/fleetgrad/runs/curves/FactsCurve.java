package org.fleetgrad.runs.curves;

import java.util.Optional;
import java.util.OptionalDouble;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.curves.CurveRow.HeldOut;
import org.fleetgrad.runs.kept.Measure;
import org.fleetgrad.runs.kept.MeasureKind;
import org.fleetgrad.runs.kept.RecordedRun;

/** The held-out results of a run in its facts, which have the best of them. */
final class FactsCurve implements CurveFile {

    private final RecordedRun run;
    private final RunTarget target;

    /** @param target of the run: its figure is the one that counts */
    FactsCurve(RecordedRun run, RunTarget target) {
        this.run = run;
        this.target = target;
    }

    @Override
    public void begin(CurveRow first) {
        // The best result of a run was reached, whatever its server was restored to.
    }

    @Override
    public void add(CurveRow row) {
        row.heldOut().flatMap(this::measure).ifPresent(run::measured);
    }

    private Optional<Measure> measure(HeldOut heldOut) {
        MeasureKind kind = kind(heldOut);
        OptionalDouble value = switch (kind) {
            case ACCURACY -> heldOut.accuracy();
            case LOSS -> heldOut.loss();
            case R2 -> heldOut.r2();
            case MICRO_F1 -> heldOut.microF1();
        };
        return value.isPresent() && Double.isFinite(value.getAsDouble())
                ? Optional.of(new Measure(kind, value.getAsDouble(), heldOut.version()))
                : Optional.empty();
    }

    private MeasureKind kind(HeldOut heldOut) {
        if (target instanceof RunTarget.Loss || heldOut.perplexity().isPresent()) {
            return MeasureKind.LOSS;
        }
        if (heldOut.numbers().isPresent()) {
            return MeasureKind.R2;
        }
        return heldOut.labels().isPresent() ? MeasureKind.MICRO_F1 : MeasureKind.ACCURACY;
    }

    /** Who holds the run ends it. */
    @Override
    public void close() {}
}
