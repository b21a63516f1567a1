package org.fleetgrad.ps.web.exchange;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.encoding.ParameterForm;
import org.fleetgrad.ps.parameters.ParameterSnapshot;
import org.fleetgrad.ps.parameters.PublishedParameters;
import org.fleetgrad.ps.training.Training;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** {@code GET /getParameter}: the newest snapshot, at once or as soon as the client does not have it yet. */
@Component
record GetParameter(Training training, PublishedParameters published, SlowClients clients, LongPolls polls)
        implements ExchangeHandler {

    private static final Logger LOG = LoggerFactory.getLogger(GetParameter.class);
    private static final long LONGEST_WAIT_MS = 60_000;

    @Override
    public String method() {
        return "GET";
    }

    @Override
    public String path() {
        return Routes.GET_PARAMETER;
    }

    /**
     * What the client has, and the form that it wants. A version is new to the client if it is of another history,
     * or if its number is higher and its entity tag differs.
     */
    private record ClientState(Optional<String> etag, OptionalLong after, Optional<String> worker, ParameterForm form) {
        boolean isNewer(ParameterVersion version) {
            if (etag.isPresent()) {
                String tags = etag.get();
                if (tags.equals("*") || tags.contains(form.etag(version))) {
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
    public void handle(Exchange exchange) {
        requireAcceptable(exchange.header("Accept"));
        QueryParameters query = exchange.query();
        ClientState client = new ClientState(
                Optional.ofNullable(exchange.header("If-None-Match")),
                query.wholeNumber("after", 0, Long.MAX_VALUE),
                Optional.ofNullable(exchange.header(HeaderNames.WORKER)),
                query.form());
        long waitMs = query.wholeNumber("waitMs", 0, LONGEST_WAIT_MS).orElse(0);
        if (waitMs == 0 || isReady(client)) {
            writeNewest(exchange, client);
        } else {
            exchange.allowIdle();
            waitFor(exchange, client, polls.nanos() + TimeUnit.MILLISECONDS.toNanos(waitMs));
        }
    }

    /** Tells whether there is something to respond with. A worker that is too far ahead of the others also waits. */
    private boolean isReady(ClientState client) {
        return published.version().filter(client::isNewer).isPresent() && training.mayBegin(client.worker());
    }

    private void waitFor(Exchange exchange, ClientState client, long endNanos) {
        // Before the version is read, to avoid a lost wakeup.
        CompletableFuture<Void> change = published.nextChange(client.after().orElse(-1));
        long left = endNanos - polls.nanos();
        if (isReady(client) || published.isOver() || left <= 0) {
            change.complete(null);
            writeNewest(exchange, client);
            return;
        }
        // A thread of the container answers, never the applier.
        CompletableFuture<Void> unused = polls.endAfter(change, left)
                .thenRun(() -> exchange.execute(() -> waitFor(exchange, client, endNanos)))
                .exceptionally(stopping -> {
                    LOG.debug("nobody answers a waiting client any more", stopping);
                    exchange.fail(stopping);
                    return null;
                });
    }

    private void writeNewest(Exchange exchange, ClientState client) {
        ParameterSnapshot newest = SnapshotResponse.hold(published).orElseThrow(GetParameter::noParameters);
        boolean isWaiting = client.after().isPresent() && !training.mayBegin(client.worker());
        if (client.isNewer(newest.version()) && !isWaiting) {
            SnapshotResponse.write(exchange, newest, client.form(), clients);
            return;
        }
        try (newest) {
            exchange.setHeader("ETag", client.form().etag(newest.version()));
            exchange.setHeader(SnapshotResponse.NO_CACHE);
            exchange.empty(HttpStatus.NOT_MODIFIED_304);
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
