package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
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
import org.jspecify.annotations.Nullable;
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
    private final transient ArrivedBytes beginnings;
    private final transient SlowClients clients;
    private final transient MeterRegistry meters;

    PutGradientServlet(
            JsonMapper json,
            Training training,
            PublishedParameters published,
            Leases leases,
            BodyBuffers bodies,
            PendingBytes pending,
            ArrivedBytes beginnings,
            SlowClients clients,
            MeterRegistry meters) {
        super(json, training, published, clients);
        this.training = training;
        this.published = published;
        this.leases = leases;
        this.bodies = bodies;
        this.pending = pending;
        this.beginnings = beginnings;
        this.clients = clients;
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
        Optional<ParameterEncoding> pull = isPull ? Optional.of(encoding) : Optional.empty();
        Push push = new Push(request, response, isStaged, pull, layout, time);
        BodyArrival.begin(this, request, response, limit, bodies, beginnings, clients, push);
    }

    /** One gradient on its way in. */
    private final class Push implements BodyArrival.Route {

        private final LeasedRequest request;
        private final HttpServletResponse response;
        private final boolean isStaged;
        private final Optional<ParameterEncoding> pull;
        private final TensorLayout layout;
        private final Timer.Sample time;
        private @Nullable GradientMetadata metadata;
        private @Nullable EncodedGradient encoded;
        private PendingBytes.@Nullable Part part;
        private ArrivedBytes.@Nullable Share beginning;
        private float @Nullable [] values;

        Push(
                LeasedRequest request,
                HttpServletResponse response,
                boolean isStaged,
                Optional<ParameterEncoding> pull,
                TensorLayout layout,
                Timer.Sample time) {
            this.request = request;
            this.response = response;
            this.isStaged = isStaged;
            this.pull = pull;
            this.layout = layout;
            this.time = time;
        }

        @Override
        public BodySink head(TensorBody body) {
            // A gradient without a worker is refused for that below.
            Callers.requireMayActAs(request, body.metadata().get(GradientMetadata.WORKER));
            ParameterState state = published.state().orElseThrow();
            GradientMetadata parsed = PutGradientServlet.metadata(body, state);
            metadata = parsed;
            EncodedGradient checked = EncodedGradient.of(layout, state, body, bodies);
            encoded = checked;
            leases.renew(parsed.worker());
            // A gradient may take longer than a lease: what comes keeps it running.
            request.renewBy(() -> leases.renew(parsed.worker()));
            // By what it takes, not by what it sends: an encoded gradient of some bytes may take as much as any.
            long bytes = checked.memoryBytes();
            if (bytes <= EarnedSink.SMALL_BYTES) {
                return opened(checked, pending.take(bytes, layout.byteLength()));
            }
            Optional<PendingBytes.Part> plenty = pending.takeOfPlenty(bytes, layout.byteLength());
            if (plenty.isPresent()) {
                return opened(checked, plenty.get());
            }
            ArrivedBytes.Share early = beginnings.begin();
            beginning = early;
            return EarnedSink.of(
                    body.dataBytes(), bytes, early, () -> opened(checked, pending.take(bytes, layout.byteLength())));
        }

        private BodySink opened(EncodedGradient checked, PendingBytes.Part taken) {
            part = taken;
            float[] free = training.buffers().take(checked.valueCount());
            values = free;
            return checked.sink(free);
        }

        @Override
        public boolean whole(Supplier<AsyncContext> async) throws IOException {
            Gradient gradient = gradient();
            Answer<PushOutcome> answer;
            try {
                answer = Answers.await(
                        isStaged
                                ? training.applier().stage(gradient)
                                : training.applier().apply(gradient));
            } finally {
                release();
            }
            try {
                return write(
                        request,
                        async,
                        response,
                        Answers.outcome(answer),
                        pull,
                        gradient.metadata().worker());
            } finally {
                time.stop(meters.timer("ps.push", "outcome", PushOutcome.label(answer)));
            }
        }

        private Gradient gradient() {
            EncodedGradient read = Objects.requireNonNull(encoded);
            float[] whole = Objects.requireNonNull(values);
            read.finish(whole);
            meters.counter("ps.gradient.bytes", "encoding", read.encoding()).increment((double) read.bytes());
            // From here on the array belongs to the training.
            values = null;
            GradientMetadata known = Objects.requireNonNull(metadata);
            leases.renew(known.worker());
            return new Gradient(known, whole);
        }

        @Override
        public void release() {
            if (encoded != null) {
                encoded.release();
                encoded = null;
            }
            if (values != null) {
                training.buffers().giveBack(values);
                values = null;
            }
            if (beginning != null) {
                beginning.close();
                beginning = null;
            }
            if (part != null) {
                part.close();
                part = null;
            }
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
}
