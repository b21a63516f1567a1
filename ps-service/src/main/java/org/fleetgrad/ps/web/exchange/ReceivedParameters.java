package org.fleetgrad.ps.web.exchange;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.access.ProblemKind;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.jspecify.annotations.Nullable;

/**
 * A parameter set being received: its head is checked, and its values take memory as they arrive. Confined to the request.
 */
final class ReceivedParameters {

    private final TensorLayout layout;
    private final TensorBody body;
    private final Map<String, String> metadata;
    private final Optional<ReportedProgress> progress;
    private final ReceivedBytes.Share share;
    private final @Nullable GrowingValues growing;
    private final @Nullable FloatSink floats;
    private final @Nullable BytesSink bytes;

    private ReceivedParameters(
            TensorLayout layout,
            TensorBody body,
            Map<String, String> metadata,
            Optional<ReportedProgress> progress,
            ReceivedBytes.Share share) {
        this.layout = layout;
        this.body = body;
        this.metadata = metadata;
        this.progress = progress;
        this.share = share;
        if (body.isPlain(layout)) {
            GrowingValues values = new GrowingValues((int) layout.elementCount(), share);
            this.growing = values;
            this.floats = new FloatSink(values::append);
            this.bytes = null;
        } else {
            this.growing = null;
            this.floats = null;
            this.bytes = new BytesSink(body.dataBytes(), share);
        }
    }

    /** Checks a head, or refuses the request. */
    static ReceivedParameters of(TensorBody body, ReceivedBytes.Share share) {
        if (body.layout().size() == 0) {
            throw new RequestRefused(ProblemKind.LAYOUT_MISMATCH, "the parameter set has no tensors");
        }
        TensorLayout layout = TensorLayout.canonical(body.layout().specs());
        layout.specs().stream()
                .filter(spec -> spec.dtype() != DType.F32)
                .findFirst()
                .ifPresent(spec -> {
                    throw new RequestRefused(
                            ProblemKind.LAYOUT_MISMATCH,
                            "tensor '%s' is of type %s, a parameter set has F32 only"
                                    .formatted(spec.name(), spec.dtype()),
                            Map.of("tensor", spec.name()));
                });
        try {
            InitialParameters.requireNetwork(layout, body.metadata());
            InitialParameters.requireHeader(layout, body.metadata());
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.LAYOUT_MISMATCH, String.valueOf(invalid.getMessage()));
        }
        Map<String, String> metadata = new TreeMap<>(body.metadata());
        metadata.remove(ParameterVersion.GENERATION_KEY);
        metadata.remove(ParameterVersion.VERSION_KEY);
        Optional<ReportedProgress> progress = progress(metadata);
        return new ReceivedParameters(layout, body, metadata, progress, share);
    }

    private static Optional<ReportedProgress> progress(Map<String, String> metadata) {
        try {
            return ReportedProgress.take(metadata);
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    /** Returns how many values were announced. */
    long valueCount() {
        return layout.elementCount();
    }

    /** Returns the sink for the values. */
    BodySink sink() {
        return floats != null ? floats : Objects.requireNonNull(bytes);
    }

    /** Returns the complete parameter set, or refuses the request. */
    InitialParameters parameters() {
        float[] values;
        boolean isFinite;
        if (floats != null) {
            values = Objects.requireNonNull(growing).values();
            isFinite = floats.isFinite();
        } else {
            int count = (int) layout.elementCount();
            share.grow((long) count * Float.BYTES);
            values = new float[count];
            body.with(Objects.requireNonNull(bytes).bytes()).copyFloats(layout, values);
            isFinite = FiniteValues.areIn(values);
        }
        if (!isFinite) {
            throw FiniteValues.refusal(layout, values);
        }
        return new InitialParameters(layout, values, metadata, progress);
    }
}
