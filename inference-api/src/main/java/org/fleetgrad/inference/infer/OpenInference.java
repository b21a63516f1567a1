package org.fleetgrad.inference.infer;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.prediction.Answered;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.inference.prediction.StatedVersion;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.batching.BatchStatistics;
import org.fleetgrad.serving.batching.BatchStatistics.Figures;
import org.fleetgrad.serving.policy.WantedVersion;
import org.jspecify.annotations.Nullable;

/**
 * The Open Inference Protocol, however it travels: REST and gRPC ask it the same questions. Each method throws {@link RequestRefused}
 * for what it refuses. Thread-safe.
 */
public final class OpenInference {

    /** The name of the server in its metadata. */
    public static final String SERVER = "fleetgrad";

    /** The version of the protocol. */
    public static final String VERSION = "2";

    private static final String PLATFORM = "pytorch_libtorch";
    private static final String READY = "READY";
    private static final String UNAVAILABLE = "UNAVAILABLE";

    private final String name;
    private final int most;
    private final LiveModel model;
    private final Predictor predictor;
    private final Refusals refusals;
    private final BatchStatistics statistics;

    /**
     * Makes the protocol of one model.
     *
     * @param name of the model
     * @param most maximum samples of a request
     */
    public OpenInference(
            String name,
            int most,
            LiveModel model,
            Predictor predictor,
            Refusals refusals,
            BatchStatistics statistics) {
        this.name = name;
        this.most = most;
        this.model = model;
        this.predictor = predictor;
        this.refusals = refusals;
        this.statistics = statistics;
    }

    /** The model; {@code versions} are the held ones. */
    public record ModelMetadata(
            String name,
            List<String> versions,
            String platform,
            List<TensorDescription> inputs,
            List<TensorDescription> outputs) {}

    /** A held version, or the model without one. */
    public record IndexEntry(String name, @Nullable String version, String state, String reason) {}

    /**
     * An answer.
     *
     * @param model    name of the model
     * @param accuracy of the version that answered, if it is evaluated
     * @param id       for feedback
     */
    public record Inferred(String model, PredictionResult result, Optional<Double> accuracy, Optional<String> id) {}

    /** Returns whether a version answers that requests may leave to the policy. */
    public boolean isReady() {
        return model.network(WantedVersion.BY_POLICY).isPresent();
    }

    /** Refuses if no version answers that requests leave to the policy. */
    public void requireReady() {
        requireHeld(WantedVersion.BY_POLICY);
    }

    /** Refuses if there is no such version of the model. */
    public void requireReady(String requested, @Nullable String version) {
        requireModel(name, requested);
        requireHeld(StatedVersion.wanted(version));
    }

    private void requireHeld(WantedVersion wanted) {
        if (model.network(wanted).isEmpty()) {
            throw refusals.refused(model.refusal(wanted));
        }
    }

    /** Describes a version of the model. */
    public ModelMetadata metadata(String requested, @Nullable String version) {
        WantedVersion wanted = StatedVersion.wanted(version);
        requireModel(name, requested);
        SampleForm form = model.form(wanted).orElseThrow(() -> refusals.refused(model.refusal(wanted)));
        return new ModelMetadata(
                name,
                model.versions().stream().map(Object::toString).toList(),
                PLATFORM,
                TensorDescription.inputs(form),
                TensorDescription.outputs(form));
    }

    /**
     * Checks what a request asks before its tensors are read.
     *
     * @return the version that it wants
     */
    public WantedVersion wanted(String requested, @Nullable String version) {
        WantedVersion wanted = StatedVersion.wanted(version);
        requireModel(name, requested);
        return wanted;
    }

    /** Computes a request. */
    public Inferred infer(WantedVersion wanted, InferRequest request) {
        Answered answered = predictor.predict(wanted, (form, memory) -> request.samples(form, most, memory));
        PredictionResult result = refusals.resultOf(answered.outcome());
        return new Inferred(
                name,
                result,
                predictor.scores().of(result.version()).flatMap(HeldOutScore::accuracy),
                predictor.idOf(result, result.predictions(), answered.request()));
    }

    /** Returns the figures of all versions that are remembered. */
    public ModelStatistics statistics() {
        return ModelStatistics.of(name, statistics.versions());
    }

    /** Returns the figures of a version of the model, or of all. */
    public ModelStatistics statistics(String requested, @Nullable String version) {
        requireModel(name, requested);
        if (version == null) {
            return statistics();
        }
        WantedVersion.Named wanted = StatedVersion.named(version);
        List<Figures> remembered = statistics.versions();
        Optional<ParameterVersion> found = wanted.among(
                        remembered.stream().map(Figures::version).toList())
                .or(() -> wanted.among(model.versions()));
        ParameterVersion meant = found.orElseThrow(() -> refusals.refused(model.refusal(wanted)));
        Figures figures = remembered.stream()
                .filter(each -> each.version().equals(meant))
                .findFirst()
                .orElseGet(() -> Figures.none(meant));
        return ModelStatistics.of(name, List.of(figures));
    }

    /** Lists what is loaded: the held versions, or, unless only those that answer are asked for, that there is none. */
    public List<IndexEntry> index(boolean isReadyOnly) {
        List<ParameterVersion> held = model.versions();
        if (held.isEmpty()) {
            return isReadyOnly
                    ? List.of()
                    : List.of(new IndexEntry(name, null, UNAVAILABLE, "no version has arrived yet"));
        }
        return held.stream()
                .map(version -> new IndexEntry(name, version.toString(), READY, ""))
                .toList();
    }

    /** Refuses a model of another name. */
    public static void requireModel(String name, String requested) {
        if (!requested.equals(name)) {
            throw new RequestRefused(
                    ProblemKind.NOT_FOUND, "there is no model '%s'; the model is '%s'".formatted(requested, name));
        }
    }
}
