package org.fleetgrad.inference.web;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;
import java.util.UUID;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.inference.CompletionProperties;
import org.fleetgrad.inference.InferenceProperties;
import org.fleetgrad.inference.completion.CompletionQuery;
import org.fleetgrad.inference.completion.CompletionReader;
import org.fleetgrad.inference.completion.CompletionReply;
import org.fleetgrad.inference.prediction.Refusals;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.serving.completion.Completions;
import org.fleetgrad.serving.completion.RunningCompletion;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import tools.jackson.databind.json.JsonMapper;

/** Completions over HTTP, as OpenAI's API writes them. No thread waits for a token, or for a client. */
@RestController
class CompletionController {

    static final String PATH = "/v1/completions";

    private static final String EVENTS = "text/event-stream;charset=UTF-8";

    private final Completions completions;
    private final CompletionReader reader;
    private final BoundedBodyReader bodies;
    private final Refusals refusals;
    private final Clock clock;
    private final JsonMapper json;
    private final String name;
    private final CompletionProperties limits;

    CompletionController(
            Completions completions,
            InferenceProperties properties,
            BoundedBodyReader bodies,
            Refusals refusals,
            Clock clock,
            JsonMapper json) {
        this.completions = completions;
        this.limits = properties.completions();
        this.name = properties.modelName();
        this.reader = new CompletionReader(name, limits.maxTokens());
        this.bodies = bodies;
        this.refusals = refusals;
        this.clock = clock;
        this.json = json;
    }

    @PostMapping(path = PATH, consumes = MediaType.APPLICATION_JSON_VALUE)
    @Nullable
    DeferredResult<CompletionReply> complete(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        CompletionQuery query = reader.read(
                bodies.read(request, Math.toIntExact(limits.maxBytes().toBytes())));
        CompletionReply.Head head = new CompletionReply.Head(
                "cmpl-" + UUID.randomUUID(),
                clock.instant().getEpochSecond(),
                name,
                query.request().seed());
        if (query.isStreamed()) {
            stream(query, head, request, response);
            return null;
        }
        return whole(query, head);
    }

    private void stream(
            CompletionQuery query, CompletionReply.Head head, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        CompletionStream stream = new CompletionStream(head, query.includeUsage(), refusals, late(), json);
        RunningCompletion completion = refusals.begun(completions.begin(query.request(), stream));
        try {
            response.setContentType(EVENTS);
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            AsyncContext context = request.startAsync(request, response);
            context.setTimeout(limits.timeout().toMillis());
            stream.open(context, completion);
        } catch (IOException | RuntimeException | Error failure) {
            completion.cancel();
            throw failure;
        }
    }

    private DeferredResult<CompletionReply> whole(CompletionQuery query, CompletionReply.Head head) {
        DeferredResult<CompletionReply> result =
                new DeferredResult<>(limits.timeout().toMillis());
        RunningCompletion completion =
                refusals.begun(completions.begin(query.request(), new WholeCompletion(head, result, refusals)));
        result.onTimeout(() -> result.setErrorResult(late()));
        // Also after an error, and after the answer, when it is over already.
        result.onCompletion(completion::cancel);
        return result;
    }

    private RequestRefused late() {
        return RequestRefused.forNow(
                ProblemKind.BUSY,
                "the completion did not end within %d ms"
                        .formatted(limits.timeout().toMillis()));
    }
}
