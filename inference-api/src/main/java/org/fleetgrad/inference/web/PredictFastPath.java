package org.fleetgrad.inference.web;

import io.micrometer.core.instrument.Timer;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.http.body.BufferedBody;
import org.fleetgrad.inference.prediction.Answered;
import org.fleetgrad.inference.prediction.Predictor;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.serving.PredictionResult;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * The fast path of {@code POST /predict}: a plain JSON request is read, computed and answered without a servlet, and no thread
 * waits for its batch. Its response is the same as {@link PredictController}'s. A request that is refused, invalid, unusual, or
 * has not arrived completely takes the slow path from its beginning, so each refusal is written in only one place.
 */
final class PredictFastPath extends Handler.Wrapper {

    private static final Logger LOG = LoggerFactory.getLogger(PredictFastPath.class);
    private static final String PATH = "/predict";

    /**
     * Memory is allocated for the stated length, before the body has arrived. For a longer body the cost of the slow path
     * matters little.
     */
    private static final long MAX_BYTES = 64 * 1024;

    private static final String JSON = "application/json";
    private static final HttpField CONTENT_TYPE = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, JSON);

    private final Guard guard;
    private final Predictor predictor;
    private final int maxImages;
    private final JsonMapper json;
    private final long maxBytes;
    private final Times times;

    /** The same meters as on the slow path: of decoding and classifying, and of the complete request. */
    record Times(Timer prediction, Timer request) {}

    PredictFastPath(
            Handler slowPath,
            Guard guard,
            Predictor predictor,
            int maxImages,
            JsonMapper json,
            long maxBytes,
            Times times) {
        super(slowPath);
        this.guard = guard;
        this.predictor = predictor;
        this.maxImages = maxImages;
        this.json = json;
        this.maxBytes = Math.min(maxBytes, MAX_BYTES);
        this.times = times;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        if (!isPlain(request) || !isGranted(request)) {
            return super.handle(request, response, callback);
        }
        BufferedBody body = BufferedBody.received(request, (int) request.getLength());
        if (!body.isComplete()) {
            return super.handle(body, response, callback);
        }
        long begin = System.nanoTime();
        Optional<CompletableFuture<Answered>> submitted = submit(body);
        if (submitted.isEmpty()) {
            return super.handle(body, response, callback);
        }
        var unused =
                submitted.get().whenComplete((answered, failure) -> end(begin, body, answered, response, callback));
        return true;
    }

    private boolean isPlain(Request request) {
        return request.getMethod().equals("POST")
                && PATH.equals(request.getHttpURI().getPathQuery())
                && request.getLength() > 0
                && request.getLength() <= maxBytes
                && hasPlainHeaders(request.getHeaders());
    }

    private static boolean hasPlainHeaders(HttpFields headers) {
        String accepted = headers.get(HttpHeader.ACCEPT);
        return JSON.equals(lower(headers.get(HttpHeader.CONTENT_TYPE)))
                && (accepted == null || accepted.equals("*/*") || accepted.equals(JSON))
                && !headers.contains(HttpHeader.EXPECT)
                && !headers.contains(HttpHeader.ORIGIN);
    }

    private static @Nullable String lower(@Nullable String text) {
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private boolean isGranted(Request request) {
        HttpFields headers = request.getHeaders();
        Guard.Head head = new Guard.Head(
                request.getMethod(),
                PATH,
                false,
                headers.get(HttpHeader.AUTHORIZATION),
                headers.get(HeaderNames.WORKER),
                Request.getRemoteAddr(request));
        try {
            return guard.authorize(head).isPresent();
        } catch (RequestRefused refused) {
            LOG.debug("refused on the slow path", refused);
            return false;
        }
    }

    private Optional<CompletableFuture<Answered>> submit(BufferedBody body) {
        try {
            return predictor.submit((form, memory) -> form.read(body.bytes(), maxImages, memory));
        } catch (InvalidImagesException wrong) {
            // The slow path finds the same error, and reports it.
            LOG.debug("no images", wrong);
            return Optional.empty();
        }
    }

    private void end(long begin, BufferedBody body, @Nullable Answered answered, Response response, Callback callback) {
        try {
            if (answered != null && answered.outcome() instanceof PredictionResult result) {
                byte[] reply = json.writeValueAsBytes(PredictReply.of(result, answered.request(), predictor));
                record(begin, body);
                write(reply, response, callback);
            } else {
                handleOnSlowPath(body, response, callback);
            }
        } catch (RuntimeException bug) {
            LOG.error("a prediction failed", bug);
            callback.failed(bug);
        }
    }

    private void record(long begin, Request request) {
        long end = System.nanoTime();
        times.prediction().record(end - begin, TimeUnit.NANOSECONDS);
        times.request().record(end - request.getBeginNanoTime(), TimeUnit.NANOSECONDS);
    }

    private static void write(byte[] reply, Response response, Callback callback) {
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(CONTENT_TYPE);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, reply.length);
        response.write(true, ByteBuffer.wrap(reply), callback);
    }

    /** Runs in a thread that may block: this one computes for other requests. */
    private void handleOnSlowPath(BufferedBody body, Response response, Callback callback) {
        body.getComponents().getExecutor().execute(() -> {
            try {
                if (!super.handle(body, response, callback)) {
                    Response.writeError(body, response, callback, HttpStatus.NOT_FOUND_404);
                }
            } catch (Exception failure) {
                callback.failed(failure);
            }
        });
    }
}
