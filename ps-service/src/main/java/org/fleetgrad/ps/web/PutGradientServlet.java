package org.fleetgrad.ps.web;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.PushReply;
import org.fleetgrad.protocol.safetensors.SafetensorsLimits;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.ps.membership.Leases;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Gradient;
import org.fleetgrad.ps.training.PushOutcome;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.training.TrainingMode;
import tools.jackson.databind.json.JsonMapper;

/** {@code POST /putGradient}: reads, checks, queues, and answers what became of it. */
final class PutGradientServlet extends ProblemServlet {

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
        super("POST", json);
        this.training = training;
        this.published = published;
        this.leases = leases;
        this.bodies = bodies;
        this.pending = pending;
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
        TensorBody body = Callers.requireSender(request, TensorBody.open(request, limit, bodies));
        GradientMetadata metadata = metadata(body);
        EncodedGradient encoded = EncodedGradient.of(layout, body);
        PushOutcome outcome;
        PendingBytes.Part part = pending.take(encoded.memoryBytes());
        try {
            Gradient gradient = new Gradient(metadata, values(encoded));
            leases.renew(metadata.worker());
            outcome = await(gradient);
        } finally {
            part.close();
        }
        try {
            boolean isAhead = !training.mayBegin(Optional.of(metadata.worker()));
            write(response, outcome, isPull ? Optional.of(encoding) : Optional.empty(), isAhead);
        } finally {
            time.stop(meters.timer("ps.push", "outcome", outcome.label()));
        }
    }

    private static GradientMetadata metadata(TensorBody body) {
        try {
            return GradientMetadata.parse(body.metadata());
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

    private PushOutcome await(Gradient gradient) {
        try {
            return training.applier().apply(gradient);
        } catch (ExecutionException bug) {
            throw new IllegalStateException("the applier failed", bug.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new RequestRefused(ProblemKind.BUSY, "the server is stopping", Map.of(), Map.of("Retry-After", "1"));
        }
    }

    /**
     * @param pull    what the new parameters are to travel as, where they are wanted
     * @param isAhead whether the worker has to wait for slower ones before it begins another iteration
     */
    private void write(
            HttpServletResponse response, PushOutcome outcome, Optional<ParameterEncoding> pull, boolean isAhead)
            throws IOException {
        if (outcome instanceof PushOutcome.Refused refused) {
            throw problem(refused);
        }
        // A duplicate is answered what its first push was, and says so.
        PushOutcome first = outcome instanceof PushOutcome.Duplicate duplicate ? duplicate.first() : outcome;
        if (first instanceof PushOutcome.Applied applied) {
            boolean isWriting = pull.isPresent() && !isAhead && !published.isCrowded();
            if (isWriting) {
                writeParameters(response, outcome, applied, pull.get());
            } else {
                // Who asked for the parameters and does not get them here waits for them on /getParameter.
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
            // In synchronous training a worker whose gradient waits has no more to give before the next version.
            boolean isAwaiting = isAhead || training.settings().mode() instanceof TrainingMode.Sync;
            reply(response, status, outcome, first, buffered.version(), 0, isAwaiting);
        } else {
            throw new IllegalStateException("no answer for " + outcome);
        }
    }

    private void writeParameters(
            HttpServletResponse response, PushOutcome outcome, PushOutcome.Applied applied, ParameterEncoding encoding)
            throws IOException {
        response.setHeader(HeaderNames.OUTCOME, outcome.label());
        response.setHeader(HeaderNames.VERSION, Long.toString(applied.version()));
        response.setHeader(HeaderNames.STALENESS, Long.toString(applied.staleness()));
        try (ParameterSnapshot newest = published.hold().orElseThrow()) {
            SnapshotAnswer.write(response, newest, encoding);
        }
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

    static RequestRefused problem(PushOutcome.Refused refused) {
        ProblemKind kind = ProblemKind.valueOf(refused.reason().name());
        Map<String, String> headers =
                kind.status() == HttpServletResponse.SC_SERVICE_UNAVAILABLE ? Map.of("Retry-After", "1") : Map.of();
        return new RequestRefused(kind, refused.detail(), Map.of(), headers);
    }
}
