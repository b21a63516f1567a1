package org.fleetgrad.http.server;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.util.Optional;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.Guard;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.access.Role;
import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.TokenIssuer;
import org.fleetgrad.access.rate.Rates;
import org.fleetgrad.access.rate.Rates.RateLimits;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;
import org.fleetgrad.protocol.messages.TokenMessages.IssueTokenRequest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code POST /predict} and {@code GET /status} of a program without Spring, and {@code POST /issueToken} before them. If it has
 * keys, it requires a token before it reads a body. Connections are kept alive. A slow client holds a thread for a bounded time,
 * and slow clients together hold no more threads than {@link SmallLimits} allow.
 */
public final class SmallServer implements AutoCloseable {

    static {
        // Otherwise the JDK's server sends head and body in two segments, and the second waits 40 ms for an
        // acknowledgement.
        if (System.getProperty("sun.net.httpserver.nodelay") == null) {
            System.setProperty("sun.net.httpserver.nodelay", "true");
        }
    }

    private static final Role[] READERS = {Role.READER, Role.EVALUATOR};
    private static final RouteTable ROUTES = RouteTable.builder()
            .open("POST " + Routes.ISSUE_TOKEN)
            .allow("POST /predict", READERS)
            .allow("GET " + Routes.STATUS, READERS)
            .build();

    private final JsonMapper json = JsonMapper.builder()
            .changeDefaultPropertyInclusion(ignored -> JsonInclude.Value.ALL_NON_NULL)
            .build();
    private final HttpServer server;
    private final TokenIssuer issuer;
    private final Guard guard;
    private final SmallLimits limits;
    private final Handler handler;
    private final PrintStream err;
    private final RequestThreads threads;

    /** Handles complete requests of authorized callers. Called by many threads. */
    @FunctionalInterface
    public interface Handler {

        Reply handle(BufferedRequest request) throws IOException;
    }

    /**
     * Binds the address; accepts requests after {@link #start}.
     *
     * @param name of the threads
     * @param issuer issues and verifies tokens; without keys, requests need none
     * @param err  receives the stack traces of bugs
     */
    public SmallServer(
            String name,
            InetSocketAddress address,
            TokenIssuer issuer,
            SmallLimits limits,
            Handler handler,
            PrintStream err)
            throws IOException {
        this.issuer = issuer;
        this.guard = new Guard(ROUTES, issuer.tokens(), new Rates(RateLimits.DEFAULT, System::nanoTime));
        this.limits = limits;
        this.handler = handler;
        this.err = err;
        this.server = HttpServer.create(address, 0);
        this.threads = new RequestThreads(name, limits);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    /** Begins to accept requests. */
    public void start() {
        server.start();
    }

    /** Returns the address that it listens on. */
    public InetSocketAddress address() {
        return server.getAddress();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Reply reply = reply(exchange);
            byte[] body = reply.body() instanceof byte[] bytes ? bytes : json.writeValueAsBytes(reply.body());
            threads.current().beginResponse(System.nanoTime());
            reply.headers().forEach(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Reply reply(HttpExchange exchange) throws IOException {
        try {
            Guard.Head head = head(exchange);
            Optional<Caller> unused = guard.authorize(head);
            boolean isForToken = exchange.getRequestURI().getPath().equals(Routes.ISSUE_TOKEN);
            if (isForToken && !exchange.getRequestMethod().equals("POST")) {
                return Reply.wrongMethod("POST");
            }
            if (isForToken) {
                Guard.requireShort(length(exchange));
            }
            Optional<byte[]> body = body(exchange);
            threads.current().beginHandling();
            if (body.isEmpty()) {
                return Reply.problem(
                        ProblemKind.TOO_LARGE, "the body has more bytes than the limit of " + limits.bodyBytes());
            }
            BufferedRequest request = new BufferedRequest(
                    exchange.getRequestMethod(),
                    exchange.getRequestURI().getPath(),
                    exchange.getRequestHeaders().getFirst("Content-Type"),
                    body.get());
            return isForToken ? token(body.get(), head) : handler.handle(request);
        } catch (RequestRefused refused) {
            return new Reply(refused);
        } catch (RuntimeException | LinkageError | OutOfMemoryError bug) {
            bug.printStackTrace(err);
            return Reply.problem(ProblemKind.INTERNAL, "see the log of the program");
        }
    }

    private static Guard.Head head(HttpExchange exchange) {
        return new Guard.Head(
                exchange.getRequestMethod(),
                exchange.getRequestURI().getRawPath(),
                false,
                exchange.getRequestHeaders().getFirst("Authorization"),
                exchange.getRequestHeaders().getFirst(HeaderNames.WORKER),
                address(exchange));
    }

    private static String address(HttpExchange exchange) {
        return exchange.getRemoteAddress().getAddress().getHostAddress();
    }

    private static long length(HttpExchange exchange) {
        String stated = String.valueOf(exchange.getRequestHeaders().getFirst("Content-Length"));
        return stated.matches("\\d{1,18}") ? Long.parseLong(stated) : -1;
    }

    /** Reads the body; empty if it is too large. */
    private Optional<byte[]> body(HttpExchange exchange) throws IOException {
        try (InputStream in = exchange.getRequestBody()) {
            byte[] body = in.readNBytes(limits.bodyBytes() + 1);
            return body.length > limits.bodyBytes() ? Optional.empty() : Optional.of(body);
        }
    }

    private Reply token(byte[] body, Guard.Head head) {
        try {
            return Reply.json(issuer.issue(json.readValue(body, IssueTokenRequest.class)));
        } catch (JacksonException unreadable) {
            throw TokenIssuer.unreadable();
        } catch (RequestRefused refused) {
            if (refused.kind() == ProblemKind.UNAUTHENTICATED) {
                guard.failed(head);
            }
            throw refused;
        }
    }

    /** Stops listening and ends the requests in progress. */
    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
