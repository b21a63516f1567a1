package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpStatus;

/** The meter of requests, with the tags that it has for the routes of Spring MVC. Thread-safe. */
final class RequestTimes {

    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE");

    private final MeterRegistry meters;
    private final Map<Kind, Timer> timers = new ConcurrentHashMap<>();

    RequestTimes(MeterRegistry meters) {
        this.meters = meters;
    }

    private record Kind(String path, String method, int status) {}

    /** Records a request that ends now. */
    void record(String path, String method, int status, long begunNanos) {
        // Bounds the number of timers: a client may send any method name.
        Kind kind = new Kind(path, METHODS.contains(method) ? method : "UNKNOWN", status);
        timers.computeIfAbsent(kind, this::timer).record(System.nanoTime() - begunNanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Kind kind) {
        return Timer.builder("http.server.requests")
                .tags("error", "none", "exception", "none", "method", kind.method())
                .tags("outcome", outcome(kind.status()), "status", Integer.toString(kind.status()), "uri", kind.path())
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
}
