package org.fleetgrad.runs.curves;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.protocol.messages.TextFigures;
import org.jspecify.annotations.Nullable;

/** States of a run. */
final class ExampleRows {

    static final Instant BEGIN = Instant.parse("2026-01-02T03:04:05.250Z");

    private ExampleRows() {}

    static CurveRow row(long version, CurveRow.@Nullable HeldOut heldOut) {
        return new CurveRow(
                BEGIN.plusMillis(version),
                version / 100.0,
                version,
                32 * version,
                OptionalDouble.of(2.5 / (1 + version)),
                1600.5,
                OptionalDouble.empty(),
                0.75,
                2,
                Optional.ofNullable(heldOut));
    }

    static CurveRow.HeldOut heldOut(long version, double accuracy) {
        return CurveRow.HeldOut.ofClasses(version, accuracy, OptionalDouble.of(0.9375), OptionalDouble.of(0.125), null);
    }

    /** The status response of a server at a version, with the newest evaluation if there is one. */
    static StatusReply status(String generation, long version, @Nullable Long evaluated) {
        Double accuracy = evaluated == null ? null : (Double) (evaluated / 1000.0);
        Double top5 = evaluated == null ? null : (Double) 0.99;
        return status(generation, version, evaluated, accuracy, top5, evaluated == null ? null : (Double) 0.5, null);
    }

    /** The status response of a server whose newest version of a text is evaluated. */
    static StatusReply text(long version, double loss, double bitsPerCharacter) {
        return status("g", version, version, 0.25, 0.5, loss, new TextFigures(64, bitsPerCharacter));
    }

    private static StatusReply status(
            String generation,
            long version,
            @Nullable Long evaluated,
            @Nullable Double accuracy,
            @Nullable Double top5,
            @Nullable Double loss,
            @Nullable TextFigures text) {
        List<StatusReply.Worker> workers = IntStream.range(0, 2)
                .mapToObj(
                        i -> new StatusReply.Worker("worker-" + i, "", "cpu", version, version, 1000, null, null, null))
                .toList();
        return new StatusReply(
                200,
                generation,
                version,
                true,
                10,
                61_706,
                "async",
                false,
                "sgd",
                "none",
                "none",
                0.01,
                32 * version,
                1.5,
                accuracy,
                top5,
                loss,
                text,
                null,
                null,
                null,
                evaluated,
                3,
                0.75,
                0,
                Map.of(),
                1000,
                workers,
                null,
                null);
    }
}
