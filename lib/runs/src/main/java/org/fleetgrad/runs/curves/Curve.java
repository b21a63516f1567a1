package org.fleetgrad.runs.curves;

import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * One curve of a run.
 *
 * @param tag   its name in TensorBoard and in the table
 * @param value its value in a row; empty if the row has none
 */
record Curve(String tag, Function<CurveRow, OptionalDouble> value) {

    /** The curves of the training; their step is the newest version. */
    static final List<Curve> TRAINING = List.of(
            new Curve("train/loss", CurveRow::loss),
            new Curve("train/samples", row -> OptionalDouble.of((double) row.samples())),
            new Curve("train/samples_per_second", row -> OptionalDouble.of(row.samplesPerSecond())),
            new Curve("train/tokens_per_second", CurveRow::tokensPerSecond),
            new Curve("staleness/mean", row -> OptionalDouble.of(row.meanStaleness())),
            new Curve("workers", row -> OptionalDouble.of(row.workers())));

    /** The curves of the evaluations; their step is the evaluated version. */
    static final List<Curve> HELD_OUT = List.of(
            new Curve("heldout/accuracy", row -> ofHeldOut(row, CurveRow.HeldOut::accuracy)),
            new Curve("heldout/accuracyTop5", row -> ofHeldOut(row, CurveRow.HeldOut::accuracyTop5)),
            new Curve("heldout/loss", row -> ofHeldOut(row, CurveRow.HeldOut::loss)),
            new Curve("heldout/perplexity", row -> ofHeldOut(row, CurveRow.HeldOut::perplexity)),
            new Curve("heldout/bits_per_character", row -> ofHeldOut(row, CurveRow.HeldOut::bitsPerCharacter)),
            new Curve("heldout/r2", row -> ofHeldOut(row, CurveRow.HeldOut::r2)),
            new Curve("heldout/rmse", row -> ofHeldOut(row, CurveRow.HeldOut::rmse)),
            new Curve("heldout/auc", row -> ofHeldOut(row, CurveRow.HeldOut::auc)),
            new Curve("heldout/f1", row -> ofHeldOut(row, CurveRow.HeldOut::f1)),
            new Curve("heldout/micro_f1", row -> ofHeldOut(row, CurveRow.HeldOut::microF1)),
            new Curve("heldout/macro_f1", row -> ofHeldOut(row, CurveRow.HeldOut::macroF1)));

    private static OptionalDouble ofHeldOut(CurveRow row, Function<CurveRow.HeldOut, OptionalDouble> value) {
        return row.heldOut().map(value).orElse(OptionalDouble.empty());
    }

    /** Returns the curve's value in a row; empty if the row has none. */
    OptionalDouble in(CurveRow row) {
        return value.apply(row);
    }
}
