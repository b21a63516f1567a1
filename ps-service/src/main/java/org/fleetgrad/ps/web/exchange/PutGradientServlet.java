package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.PushReply;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.Answer;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.settings.TrainingMode;
import org.fleetgrad.ps.step.Gradient;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.Answers;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.fleetgrad.ps.web.security.Callers;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /putGradient}: reads a gradient, checks it, submits it, and answers the outcome. */
final class PutGradientServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;

    /** Leases are longer; less often costs nothing. */
    private static final long RENEWAL_NANOS = TimeUnit.SECONDS.toNanos(1);

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
        super("POST", json);
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
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Timer.Sample time = Timer.start(meters);
        boolean isPull = QueryParameters.isTrue(request, "pull");
        ParameterEncoding encoding = QueryParameters.encoding(request);
        TensorLayout layout = published
                .layout()
                .orElseThrow(() -> new RequestRefused(
                        ProblemKind.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter"));
        long limit = layout.byteLength() + SafetensorsLimits.DEFAULT.headerBytes();
        Optional<ParameterEncoding> pull = isPull ? Optional.of(encoding) : Optional.empty();
        BodyArrival.begin(
                this, request, response, limit, bodies, clients, new Push(request, response, pull, layout, time));
    }

    /** One gradient on its way in. */
    private final class Push implements BodyArrival.Route {

        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final Optional<ParameterEncoding> pull;
        private final TensorLayout layout;
        private final Timer.Sample time;
        private @Nullable GradientMetadata metadata;
        private @Nullable EncodedGradient encoded;
        private PendingBytes.@Nullable Part part;
        private ArrivedBytes.@Nullable Share beginning;
        private float @Nullable [] values;
        private long renewedNanos = System.nanoTime();

        Push(
                HttpServletRequest request,
                HttpServletResponse response,
                Optional<ParameterEncoding> pull,
                TensorLayout layout,
                Timer.Sample time) {
            this.request = request;
            this.response = response;
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
            if (body.dataBytes() <= EarnedSink.SMALL_BYTES) {
                return opened(checked);
            }
            ArrivedBytes.Share early = beginnings.begin();
            beginning = early;
            return new EarnedSink(body.dataBytes(), early, () -> opened(checked));
        }

        private BodySink opened(EncodedGradient checked) {
            part = pending.take(checked.memoryBytes(), layout.byteLength());
            float[] free = training.buffers().take(checked.valueCount());
            values = free;
            return checked.sink(free);
        }

        /** A gradient may take longer than a lease: what comes keeps it running. */
        @Override
        public void arrived() {
            long now = System.nanoTime();
            if (now - renewedNanos > RENEWAL_NANOS) {
                renewedNanos = now;
                leases.renew(Objects.requireNonNull(metadata).worker());
            }
        }

        @Override
        public boolean whole(AsyncContext async) throws IOException {
            Gradient gradient = gradient();
            Answer<PushOutcome> answer;
            try {
                answer = Answers.await(training.applier().apply(gradient));
            } finally {
                release();
            }
            try {
                boolean isAhead =
                        !training.mayBegin(Optional.of(gradient.metadata().worker()));
                return write(async, response, Answers.outcome(answer), pull, isAhead);
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

    /**
     * @param pull    the encoding of the new parameters, if the worker wants them
     * @param isAhead whether the worker must wait for slower ones before it begins another iteration
     * @return whether parameters are still being written
     */
    private boolean write(
            AsyncContext async,
            HttpServletResponse response,
            PushOutcome outcome,
            Optional<ParameterEncoding> pull,
            boolean isAhead)
            throws IOException {
        if (outcome instanceof PushOutcome.Refused refused) {
            throw OutcomeProblems.of(refused);
        }
        // A duplicate gets the answer of its first push, and is marked as a duplicate.
        PushOutcome first = outcome instanceof PushOutcome.Duplicate duplicate ? duplicate.first() : outcome;
        if (first instanceof PushOutcome.Applied applied) {
            if (pull.isPresent() && !isAhead && isServed(applied) && !published.isCrowded()) {
                writeParameters(async, response, outcome, applied, pull.get());
                return true;
            } else {
                // A worker that asked for parameters and does not get them here waits for them on /getParameter.
                reply(
                        response,
                        HttpServletResponse.SC_OK,
                        outcome,
                        first,
                        applied.version(),
                        applied.staleness(),
                        pull.isPresent() || isAhead);
            }
        } else if (first instanceof PushOutcome.Buffered buffered) {
            int status = outcome == first ? HttpServletResponse.SC_ACCEPTED : HttpServletResponse.SC_OK;
            // In synchronous training a worker whose gradient waits can push nothing more for this version.
            boolean isAwaiting = isAhead || training.settings().mode() instanceof TrainingMode.Sync;
            reply(response, status, outcome, first, buffered.version(), 0, isAwaiting);
        } else {
            throw new IllegalStateException("no answer for " + outcome);
        }
        return false;
    }

    /** A version may be skipped while slow readers hold the memory. */
    private boolean isServed(PushOutcome.Applied applied) {
        return published
                .version()
                .filter(newest -> newest.version() >= applied.version())
                .isPresent();
    }

    private void writeParameters(
            AsyncContext async,
            HttpServletResponse response,
            PushOutcome outcome,
            PushOutcome.Applied applied,
            ParameterEncoding encoding)
            throws IOException {
        response.setHeader(HeaderNames.OUTCOME, outcome.label());
        response.setHeader(HeaderNames.VERSION, Long.toString(applied.version()));
        response.setHeader(HeaderNames.STALENESS, Long.toString(applied.staleness()));
        ParameterSnapshot newest = published.hold().orElseThrow();
        SnapshotAnswer.begin(response, () -> async, newest, encoding, clients);
    }

    private void reply(
            HttpServletResponse response,
            int status,
            PushOutcome outcome,
            PushOutcome first,
            long version,
            long staleness,
            boolean isAwaiting)
            throws IOException {
        writeJson(
                response,
                status,
                new PushReply(
                        status,
                        outcome.label(),
                        version,
                        staleness,
                        isAwaiting,
                        outcome == first ? null : first.label()));
    }
}
