package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;
import org.springframework.stereotype.Component;

/**
 * The meters of the fast path: requests, with the tags that they have for the routes of Spring MVC; the time of pushes by
 * outcome; the bytes of gradients by encoding. Thread-safe.
 */
@Component
final class RequestMeters {

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final MeterRegistry meters;
    private final Map<Request, Timer> requests = new ConcurrentHashMap<>();
    private final Map<String, Timer> pushes = new ConcurrentHashMap<>();
    private final Map<String, Counter> gradientBytes = new ConcurrentHashMap<>();

    RequestMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    private record Request(String path, String method, int status) {}

    /** Records a request that ends now. */
    void request(String path, String method, int status, long begunNanos) {
        // Bounds the number of timers: a client may send any method name.
        Request request = new Request(path, METHODS.contains(method) ? method : "UNKNOWN", status);
        requests.computeIfAbsent(request, this::timer).record(System.nanoTime() - begunNanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Request request) {
        return Timer.builder("http.server.requests")
                .tags("error", "none", "exception", "none", "method", request.method())
                .tags(
                        "outcome",
                        outcome(request.status()),
                        "status",
                        Integer.toString(request.status()),
                        "uri",
                        request.path())
                .register(meters);
    }

    private static String outcome(int status) {
        if (HttpStatus.isSuccess(status)) {
            return "SUCCESS";
        }
        if (HttpStatus.isRedirection(status)) {
            return "REDIRECTION";
        }
        if (HttpStatus.isClientError(status)) {
            return "CLIENT_ERROR";
        }
        return HttpStatus.isServerError(status) ? "SERVER_ERROR" : "UNKNOWN";
    }

    /** Records a push that the applier has answered. */
    void push(SubmissionResult<PushOutcome> answer, long begunNanos) {
        pushes.computeIfAbsent(PushOutcome.label(answer), label -> meters.timer("ps.push", "outcome", label))
                .record(System.nanoTime() - begunNanos, TimeUnit.NANOSECONDS);
    }

    void gradientBytes(String encoding, long count) {
        gradientBytes
                .computeIfAbsent(encoding, name -> meters.counter("ps.gradient.bytes", "encoding", name))
                .increment((double) count);
    }
}
