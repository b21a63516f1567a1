package org.fleetgrad.ps.web.exchange;

import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.optim.LocalSteps;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.fleetgrad.ps.parameters.Gradient;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.settings.TrainingSettings;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.OutcomeProblems;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * {@code POST /putGradient}: reads a gradient, checks it, submits it, and responds with the outcome. With {@code
 * stage=true} the gradient counts once it is committed.
 */
@Component
final class PutGradient implements ExchangeHandler {

    private final Training training;
    private final PublishedParameters published;
    private final Leases leases;
    private final PendingBytes pending;
    private final SlowClients clients;
    private final PushResponse responses;
    private final RequestMeters meters;
    private final EncodedGradient.Buffers bodies = new EncodedGradient.Buffers();
    /** Bytes that large gradients have sent before they earn their share of the memory for gradients. */
    private final ReceivedBytes beginnings =
            new ReceivedBytes(Runtime.getRuntime().maxMemory() / 8);

    PutGradient(
            Training training,
            PublishedParameters published,
            Leases leases,
            PendingBytes pending,
            SlowClients clients,
            PushResponse responses,
            RequestMeters meters) {
        this.training = training;
        this.published = published;
        this.leases = leases;
        this.pending = pending;
        this.clients = clients;
        this.responses = responses;
        this.meters = meters;
    }

    @Override
    public String method() {
        return "POST";
    }

    @Override
    public String path() {
        return Routes.PUT_GRADIENT;
    }

    @Override
    public boolean takesTensors() {
        return true;
    }

    @Override
    public void handle(Exchange exchange) {
        QueryParameters query = exchange.query();
        boolean isPull = query.isTrue("pull");
        boolean isStaged = query.isTrue("stage");
        ParameterForm form = query.form();
        TensorLayout layout = published
                .trainable()
                .orElseThrow(() -> new RequestRefused(
                        ProblemKind.NO_PARAMETERS, "the server has no parameter set yet: put one to /putParameter"));
        long limit = layout.byteLength() + SafetensorsLimits.DEFAULT.headerBytes();
        Optional<ParameterForm> pull = isPull ? Optional.of(form) : Optional.empty();
        BodyReader.begin(exchange, beginnings, clients, limit, new Push(exchange, isStaged, pull, layout));
    }

    /** One gradient that is being received. */
    private final class Push implements BodyReader.Receiver {

        private final Exchange exchange;
        private final boolean isStaged;
        private final Optional<ParameterForm> pull;
        private final TensorLayout layout;
        private final long begunNanos = System.nanoTime();
        private @Nullable GradientMetadata metadata;
        private @Nullable UploadLease lease;
        private @Nullable EncodedGradient encoded;
        private PendingBytes.@Nullable Reservation part;
        private ReceivedBytes.@Nullable Reservation beginning;
        private float @Nullable [] values;

        Push(Exchange exchange, boolean isStaged, Optional<ParameterForm> pull, TensorLayout layout) {
            this.exchange = exchange;
            this.isStaged = isStaged;
            this.pull = pull;
            this.layout = layout;
        }

        @Override
        public BodySink onHeader(Safetensors.Head head) {
            // A gradient without a worker is refused below.
            Guard.requireMayActAs(exchange.caller(), head.metadata().get(GradientMetadata.WORKER));
            ParameterState state = published.state().orElseThrow();
            GradientMetadata parsed = PutGradient.metadata(head, state, training.settings());
            metadata = parsed;
            EncodedGradient checked = EncodedGradient.of(layout, state, head, bodies);
            encoded = checked;
            leases.renew(parsed.worker());
            // An upload may take longer than a lease: arriving bytes renew it.
            lease = new UploadLease(leases, parsed.worker());
            // By memory, not by bytes sent: an encoded gradient of a few bytes may need as much as any other.
            long bytes = checked.memoryBytes();
            if (bytes <= BodySink.Deferred.SMALL_BYTES) {
                return opened(checked, pending.reserve(bytes, layout.byteLength()));
            }
            Optional<PendingBytes.Reservation> plenty = pending.tryReserveHalf(bytes, layout.byteLength());
            if (plenty.isPresent()) {
                return opened(checked, plenty.get());
            }
            ReceivedBytes.Reservation early = beginnings.newReservation();
            beginning = early;
            return BodySink.Deferred.of(
                    (int) checked.bytes(),
                    bytes,
                    early,
                    () -> opened(checked, pending.reserve(bytes, layout.byteLength())));
        }

        @Override
        public void onBytes(int bytes) {
            Objects.requireNonNull(lease).received(bytes);
        }

        private BodySink opened(EncodedGradient checked, PendingBytes.Reservation taken) {
            part = taken;
            float[] free = training.buffers().take(checked.valueCount());
            values = free;
            return checked.sink(free);
        }

        @Override
        public void onComplete() {
            Gradient gradient = gradient();
            SubmissionResult<PushOutcome> answer;
            try {
                answer = OutcomeProblems.await(isStaged ? training.stage(gradient) : training.push(gradient));
            } finally {
                release();
            }
            meters.push(answer, begunNanos);
            responses.write(
                    exchange,
                    OutcomeProblems.outcome(answer),
                    pull,
                    gradient.metadata().worker());
        }

        private Gradient gradient() {
            EncodedGradient read = Objects.requireNonNull(encoded);
            float[] full = Objects.requireNonNull(values);
            read.finish(full);
            meters.gradientBytes(read.encoding(), read.bytes());
            // From here on the array belongs to the training.
            values = null;
            GradientMetadata known = Objects.requireNonNull(metadata);
            leases.renew(known.worker());
            return new Gradient(known, full);
        }

        @Override
        public void release() {
            if (encoded != null) {
                encoded.release();
                encoded = null;
            }
            if (values != null) {
                training.buffers().release(values);
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

    private static GradientMetadata metadata(Safetensors.Head head, ParameterState state, TrainingSettings settings) {
        try {
            GradientMetadata metadata = GradientMetadata.parse(head.metadata());
            if (!state.isEmpty() && metadata.batches().isEmpty()) {
                throw new IllegalArgumentException(
                        "the gradient's metadata lacks '%s': the parameter set has %d tensors of state, such as '%s', and the server must know how many batches were observed for them"
                                .formatted(
                                        GradientMetadata.BATCHES,
                                        state.momenta().size(),
                                        state.momenta().firstKey()));
            }
            metadata.requireLocalSteps(settings.local().map(LocalSteps::steps).orElse(1));
            return metadata;
        } catch (IllegalArgumentException invalid) {
            throw new RequestRefused(ProblemKind.MALFORMED, String.valueOf(invalid.getMessage()));
        }
    }

    /**
     * Renews a worker's lease as bytes of its gradient arrive, so that an upload may take longer than a lease. It is
     * still bounded: each renewal costs {@value #RENEWAL_BYTES} bytes, and a body has no more bytes than it announced.
     * Confined to the request.
     */
    static final class UploadLease {

        /**
         * Bytes that renew the lease once: with the default lease of 30 s, a client slower than 2.2 KB/s does not stay
         * a member.
         */
        static final int RENEWAL_BYTES = 1 << 16;

        private final Leases leases;
        private final String worker;
        private long sinceRenewal;

        UploadLease(Leases leases, String worker) {
            this.leases = leases;
            this.worker = worker;
        }

        /** Counts bytes of the body that have arrived. */
        void received(int bytes) {
            sinceRenewal += bytes;
            if (sinceRenewal >= RENEWAL_BYTES) {
                sinceRenewal = 0;
                leases.renew(worker);
            }
        }
    }
}
