package org.fleetgrad.ps.web.exchange;

import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.ServedHeader;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.WireValues;
import org.fleetgrad.protocol.work.ReportedProgress;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.ValueCount;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.jspecify.annotations.Nullable;

/**
 * A parameter set being received: its head is checked, and its values take memory as they arrive. Confined to the
 * request.
 */
final class ReceivedParameters {

    private final TensorLayout layout;
    private final Safetensors.Head head;
    private final Map<String, String> metadata;
    private final Optional<ReportedProgress> progress;
    private final ReceivedBytes.Reservation reservation;
    private final @Nullable GrowingValues growing;
    private final BodySink.@Nullable Floats floats;
    private final BodySink.@Nullable Bytes bytes;

    private ReceivedParameters(
            TensorLayout layout,
            Safetensors.Head head,
            Map<String, String> metadata,
            Optional<ReportedProgress> progress,
            ReceivedBytes.Reservation reservation) {
        this.layout = layout;
        this.head = head;
        this.metadata = metadata;
        this.progress = progress;
        this.reservation = reservation;
        if (head.layout().equals(layout)) {
            GrowingValues values = new GrowingValues((int) layout.elementCount(), reservation);
            this.growing = values;
            this.floats = new BodySink.Floats(values::append);
            this.bytes = null;
        } else {
            this.growing = null;
            this.floats = null;
            this.bytes = new BodySink.Bytes((int) head.layout().byteLength(), reservation);
        }
    }

    /** Checks a head, or refuses the request. */
    static ReceivedParameters of(Safetensors.Head head, ReceivedBytes.Reservation reservation) {
        if (head.layout().size() == 0) {
            throw new RequestRefused(ProblemKind.LAYOUT_MISMATCH, "the parameter set has no tensors");
        }
        TensorLayout layout = TensorLayout.canonical(head.layout().specs());
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
            InitialParameters.requireNetwork(layout, head.metadata());
            ServedHeader.require(layout, head.metadata());
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.LAYOUT_MISMATCH, String.valueOf(invalid.getMessage()));
        }
        Map<String, String> metadata = new TreeMap<>(head.metadata());
        metadata.remove(ParameterVersion.GENERATION_KEY);
        metadata.remove(ParameterVersion.VERSION_KEY);
        Optional<ReportedProgress> progress = progress(metadata);
        return new ReceivedParameters(layout, head, metadata, progress, reservation);
    }

    private static Optional<ReportedProgress> progress(Map<String, String> metadata) {
        try {
            return ReportedProgress.take(metadata);
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    /**
     * Returns the number of values.
     *
     * @throws IllegalArgumentException if the set does not have the tensors that are to be frozen
     */
    ValueCount count(TrainingSettings settings) {
        long trainable = settings.trainable(layout, metadata).layout().elementCount();
        return new ValueCount(layout.elementCount(), trainable);
    }

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
            reservation.grow((long) count * Float.BYTES);
            values = new float[count];
            new TensorSet(head.layout(), Objects.requireNonNull(bytes).bytes(), head.metadata())
                    .copyFloats(layout, values);
            isFinite = WireValues.areAllowed(values);
        }
        if (!isFinite) {
            throw EncodedGradient.notFinite(layout, values);
        }
        return new InitialParameters(layout, values, metadata, progress);
    }

    /**
     * An array that doubles as its values arrive, up to the number that was announced. Confined to the request's
     * thread.
     */
    static final class GrowingValues {

        /** Few enough for thousands of clients that send a head and nothing else. */
        private static final int FIRST = 1 << 10;

        private final int wanted;
        private final ReceivedBytes.Reservation reservation;
        private float[] values;

        /**
         * @param wanted      values that were announced
         * @param reservation of the memory for parameter sets that arrive
         */
        GrowingValues(int wanted, ReceivedBytes.Reservation reservation) {
            this.wanted = wanted;
            this.reservation = reservation;
            int first = Math.min(wanted, FIRST);
            reservation.grow(first * (long) Float.BYTES);
            this.values = new float[first];
        }

        /** Adds the values of a chunk after the {@code at} values before them. */
        void append(FloatBuffer chunk, int at, int count) {
            if (at + count > values.length) {
                int larger = (int) Math.min(wanted, Math.max(2L * values.length, at + count));
                reservation.grow((larger - values.length) * (long) Float.BYTES);
                values = Arrays.copyOf(values, larger);
            }
            chunk.get(values, at, count);
        }

        float[] values() {
            return values;
        }
    }
}
