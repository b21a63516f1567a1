package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.Answer;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.step.Gradient;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.Answers;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.fleetgrad.ps.web.security.Callers;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code POST /putGradient}: reads a gradient, checks it, submits it, and answers the outcome. With {@code stage=true} the
 * gradient counts once it is settled.
 */
final class PutGradientServlet extends GradientServlet {

    private static final long serialVersionUID = 1L;

    private final transient Training training;
    private final transient PublishedParameters published;
    private final transient Leases leases;
    private final transient BodyBuffers bodies;
    private final transient PendingBytes pending;
    private final transient MeterRegistry meters;

    PutGradientServlet(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            Leases leases,
            BodyBuffers bodies,
            PendingBytes pending,
            MeterRegistry meters) {
        super(json, training, published);
        this.training = training;
        this.published = published;
        this.leases = leases;
        this.bodies = bodies;
        this.pending = pending;
        this.meters = meters;
    }

    @Override
    void answer(HttpServletRequest plain, HttpServletResponse response) throws IOException {
        LeasedRequest request = new LeasedRequest(plain);
        Timer.Sample time = Timer.start(meters);
        boolean isPull = QueryParameters.isTrue(request, "pull");
        boolean isStaged = QueryParameters.isTrue(request, "stage");
        ParameterEncoding encoding = QueryParameters.encoding(request);
        TensorLayout layout = published
                .layout()
                .orElseThrow(() -> new RequestRefused(
                        ProblemKind.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter"));
        long limit = layout.byteLength() + SafetensorsLimits.DEFAULT.headerBytes();
        TensorBody body = TensorBody.open(request, limit, bodies);
        // A gradient without a worker is refused for that below.
        Callers.requireMayActAs(request, body.metadata().get(GradientMetadata.WORKER));
        ParameterState state = published.state().orElseThrow();
        GradientMetadata metadata = metadata(body, state);
        EncodedGradient encoded = EncodedGradient.of(layout, state, body);
        Answer<PushOutcome> answer;
        PendingBytes.Part part = pending.take(encoded.memoryBytes(), layout.byteLength());
        try {
            leases.renew(metadata.worker());
            request.renewBy(() -> leases.renew(metadata.worker()));
            Gradient gradient = new Gradient(metadata, values(encoded));
            leases.renew(metadata.worker());
            answer = Answers.await(
                    isStaged
                            ? training.applier().stage(gradient)
                            : training.applier().apply(gradient));
        } finally {
            part.close();
        }
        try {
            write(
                    response,
                    Answers.outcome(answer),
                    isPull ? Optional.of(encoding) : Optional.empty(),
                    metadata.worker());
        } finally {
            time.stop(meters.timer("ps.push", "outcome", PushOutcome.label(answer)));
        }
    }

    private static GradientMetadata metadata(TensorBody body, ParameterState state) {
        try {
            GradientMetadata metadata = GradientMetadata.parse(body.metadata());
            if (!state.isEmpty() && metadata.batches().isEmpty()) {
                throw new IllegalArgumentException(
                        "the gradient's metadata lacks '%s': the parameter set has %d tensors of state, such as '%s', and the server must know how many batches were observed for them"
                                .formatted(
                                        GradientMetadata.BATCHES,
                                        state.momenta().size(),
                                        state.momenta().firstKey()));
            }
            return metadata;
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    private float[] values(EncodedGradient encoded) throws IOException {
        float[] values = training.buffers().take(encoded.valueCount());
        boolean isRead = false;
        try {
            encoded.read(values);
            isRead = true;
        } finally {
            if (!isRead) {
                training.buffers().giveBack(values);
            }
        }
        meters.counter("ps.gradient.bytes", "encoding", encoded.encoding()).increment((double) encoded.bytes());
        return values;
    }
}
