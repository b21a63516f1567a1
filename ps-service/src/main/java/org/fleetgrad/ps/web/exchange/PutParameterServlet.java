package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.PutParameterReply;
import org.fleetgrad.protocol.tensor.DType;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.StatedProgress;
import org.fleetgrad.ps.outcome.PutOutcome;
import org.fleetgrad.ps.parameters.InitialParameters;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.run.Precondition;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.Answers;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** {@code PUT /putParameter}: the initial parameter set, or an operator's overwrite. */
final class PutParameterServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient PublishedParameters published;
    private final transient BodyBuffers bodies;
    private final transient ArrivedBytes arrived;
    private final long limitBytes;

    PutParameterServlet(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            BodyBuffers bodies,
            ArrivedBytes arrived,
            long limitBytes) {
        super("PUT", json);
        this.training = training;
        this.published = published;
        this.bodies = bodies;
        this.arrived = arrived;
        this.limitBytes = limitBytes;
    }

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Precondition precondition = precondition(request.getHeader("If-None-Match"), request.getHeader("If-Match"));
        Optional<ParameterVersion> newest = published.version();
        if (!precondition.holds(newest)) {
            // Before a byte of the body is read; the applier asks again, since another write may come first.
            throw OutcomeProblems.of(new PutOutcome.PreconditionFailed(newest));
        }
        try (ArrivedBytes.Share share = arrived.begin()) {
            InitialParameters given = checked(TensorBody.open(request, limitBytes, bodies), share);
            put(response, given, precondition);
        }
    }

    private void put(HttpServletResponse response, InitialParameters given, Precondition precondition)
            throws IOException {
        PutOutcome outcome = Answers.awaitOutcome(training.applier().put(given, precondition));
        if (outcome instanceof PutOutcome.Accepted accepted) {
            write(response, given, accepted);
        } else if (outcome instanceof PutOutcome.PreconditionFailed failed) {
            throw OutcomeProblems.of(failed);
        } else {
            throw OutcomeProblems.of((PutOutcome.LayoutMismatch) outcome);
        }
    }

    private void write(HttpServletResponse response, InitialParameters given, PutOutcome.Accepted accepted)
            throws IOException {
        int status = accepted.isInitial() ? HttpServletResponse.SC_CREATED : HttpServletResponse.SC_OK;
        response.setHeader("ETag", accepted.version().etag());
        writeJson(
                response,
                status,
                new PutParameterReply(
                        status,
                        accepted.version().generation(),
                        accepted.version().version(),
                        given.layout().size(),
                        given.layout().byteLength()));
    }

    private static Precondition precondition(@Nullable String ifNoneMatch, @Nullable String ifMatch) {
        if (ifNoneMatch != null && ifMatch == null && ifNoneMatch.equals("*")) {
            return new Precondition.Absent();
        }
        if (ifMatch != null && ifNoneMatch == null) {
            return ifMatch.equals("*") ? new Precondition.Present() : new Precondition.Is(ifMatch);
        }
        throw new RequestRefused(
                ProblemKind.PRECONDITION_REQUIRED,
                "send 'If-None-Match: *' with an initial parameter set, or 'If-Match' with the entity tag to overwrite");
    }

    private static InitialParameters checked(TensorBody body, ArrivedBytes.Share share) throws IOException {
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
        Optional<StatedProgress> progress = progress(metadata);
        float[] values = values(body, layout, share);
        return new InitialParameters(layout, values, metadata, progress);
    }

    private static Optional<StatedProgress> progress(Map<String, String> metadata) {
        try {
            return StatedProgress.take(metadata);
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    private static float[] values(TensorBody body, TensorLayout layout, ArrivedBytes.Share share) throws IOException {
        int count = (int) layout.elementCount();
        float[] values;
        boolean isFinite;
        if (body.isPlain(layout)) {
            GrowingValues growing = new GrowingValues(count, share);
            isFinite = body.readFloats(growing);
            values = growing.values();
        } else {
            TensorSet tensors = body.readAll();
            share.grow((long) count * Float.BYTES);
            values = new float[count];
            tensors.copyFloats(layout, values);
            isFinite = FiniteValues.areIn(values);
        }
        if (!isFinite) {
            throw FiniteValues.refusal(layout, values);
        }
        return values;
    }
}
