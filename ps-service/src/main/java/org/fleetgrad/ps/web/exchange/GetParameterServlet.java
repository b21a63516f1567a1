package org.fleetgrad.ps.web.exchange;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.problem.ProblemKind;
import org.fleetgrad.ps.web.problem.RequestRefused;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** {@code GET /getParameter}: the newest snapshot, at once or as soon as it is another than the client has. */
final class GetParameterServlet extends ProblemServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(GetParameterServlet.class);
    private static final long LONGEST_WAIT_MS = 60_000;

    private final transient Training training;
    private final transient PublishedParameters published;
    private final transient SlowClients clients;

    GetParameterServlet(JsonMapper json, Training training, PublishedParameters published, SlowClients clients) {
        super("GET", json);
        this.training = training;
        this.published = published;
        this.clients = clients;
    }

    /**
     * What the client has, and the encoding that it wants. A version is news to the client if it is of another history, or
     * if its number is higher and its tag is another.
     */
    private record Known(
            Optional<String> etag, OptionalLong after, Optional<String> worker, ParameterEncoding encoding) {
        boolean isNews(ParameterVersion version) {
            if (etag.isPresent()) {
                String tags = etag.get();
                if (tags.equals("*") || tags.contains(SnapshotAnswer.etag(version, encoding))) {
                    return false;
                }
                if (!tags.contains("\"" + version.generation() + "-")) {
                    return true;
                }
            }
            return after.isEmpty() || version.version() > after.getAsLong();
        }
    }

    @Override
    void answer(HttpServletRequest request, HttpServletResponse response) throws IOException {
        requireAcceptable(request.getHeader("Accept"));
        Known known = new Known(
                Optional.ofNullable(request.getHeader("If-None-Match")),
                QueryParameters.wholeNumber(request, "after", 0, Long.MAX_VALUE),
                Optional.ofNullable(request.getHeader(HeaderNames.WORKER)),
                QueryParameters.encoding(request));
        long waitMs = QueryParameters.wholeNumber(request, "waitMs", 0, LONGEST_WAIT_MS)
                .orElse(0);
        if (waitMs == 0 || isDue(known)) {
            boolean unused = writeNewest(request, response, () -> Connections.async(request, response), known);
        } else {
            AsyncContext async = Connections.async(request, response);
            waitFor(async, response, known, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMs));
        }
    }

    /** Tells whether there is something to answer. A worker that is too far ahead of the others waits for them, too. */
    private boolean isDue(Known known) {
        return published.version().filter(known::isNews).isPresent() && training.mayBegin(known.worker());
    }

    private void waitFor(AsyncContext async, HttpServletResponse response, Known known, long endNanos) {
        // Before looking at the version, so that a publication in between is not missed.
        CompletableFuture<Void> change = published.nextChange(known.after().orElse(-1));
        long left = endNanos - System.nanoTime();
        if (isDue(known) || published.isOver() || left <= 0) {
            change.complete(null);
            finish(async, response, known);
            return;
        }
        // A thread of the container answers, never the applier.
        CompletableFuture<Void> unused = change.completeOnTimeout(null, left, TimeUnit.NANOSECONDS)
                .thenRun(() -> async.start(() -> waitFor(async, response, known, endNanos)))
                .exceptionally(gone -> {
                    LOG.debug("a waiting client is gone", gone);
                    return null;
                });
    }

    private void finish(AsyncContext async, HttpServletResponse response, Known known) {
        AtomicBoolean isWriting = new AtomicBoolean();
        try {
            guarded(response, () -> isWriting.set(writeNewest(async.getRequest(), response, () -> async, known)));
        } catch (IOException gone) {
            LOG.debug("a waiting client is gone", gone);
        } finally {
            if (!isWriting.get()) {
                async.complete();
            }
        }
    }

    /** Answers; returns whether a snapshot is being written, which completes the asynchronous answer. */
    private boolean writeNewest(
            ServletRequest request, HttpServletResponse response, Supplier<AsyncContext> async, Known known)
            throws IOException {
        ParameterSnapshot newest = SnapshotAnswer.hold(published).orElseThrow(GetParameterServlet::noParameters);
        boolean isWaiting = known.after().isPresent() && !training.mayBegin(known.worker());
        if (known.isNews(newest.version()) && !isWaiting) {
            return SnapshotAnswer.write(request, response, async, newest, known.encoding(), clients);
        }
        try (newest) {
            response.setStatus(HttpServletResponse.SC_NOT_MODIFIED);
            response.setHeader("ETag", SnapshotAnswer.etag(newest.version(), known.encoding()));
            response.setHeader("Cache-Control", "no-cache");
            return false;
        }
    }

    private static RequestRefused noParameters() {
        return new RequestRefused(
                ProblemKind.NO_PARAMETERS_TO_GET, "the server has no parameter set yet: put one to /putParameter");
    }

    private static void requireAcceptable(@Nullable String accept) {
        if (accept == null) {
            return;
        }
        String lower = accept.toLowerCase(Locale.ROOT);
        boolean isAccepted = lower.contains("*/*")
                || lower.contains("application/*")
                || lower.contains(HeaderNames.SAFETENSORS)
                || lower.contains(HeaderNames.DJL_SAFETENSORS);
        if (!isAccepted) {
            throw new RequestRefused(
                    ProblemKind.NOT_ACCEPTABLE,
                    "parameters come as %s; the client accepts '%s'".formatted(HeaderNames.SAFETENSORS, accept));
        }
    }
}
