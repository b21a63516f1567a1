package org.fleetgrad.ps.web.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.Caller;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.http.body.UnwantedBody;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.safetensors.HeaderCache;
import org.fleetgrad.ps.web.request.QueryParameters;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

/** A request on a hot route, and its response, which may come later and from another thread. It ends once. */
final class Exchange {

    private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);
    private static final HttpField JSON = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, "application/json");
    private static final HttpField PROBLEM = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, HeaderNames.PROBLEM_JSON);

    private final Tools tools;
    private final boolean takesTensors;
    private final String path;
    private final Request request;
    private final Response response;
    private final Callback callback;
    private final AtomicBoolean isOver = new AtomicBoolean();
    private final AtomicBoolean isRecorded = new AtomicBoolean();
    private @Nullable Caller caller;
    private Body body = Body.UNREAD;
    private boolean mustDrainBody;

    /**
     * What all exchanges share.
     *
     * @param longestBytes the longest body of tensors
     */
    record Tools(JsonMapper json, RequestMeters meters, SlowClients clients, HeaderCache headers, long longestBytes) {}

    /** What is known of a request's body. */
    private enum Body {
        UNREAD,
        REQUESTED,
        READ
    }

    /** @param takesTensors whether the request has a body of tensors, so that much of one is in flight when it is refused */
    Exchange(Tools tools, String path, boolean takesTensors, Request request, Response response, Callback callback) {
        this.tools = tools;
        this.takesTensors = takesTensors;
        this.path = path;
        this.request = request;
        this.response = response;
        this.callback = callback;
    }

    void setCaller(Caller known) {
        caller = known;
    }

    Caller caller() {
        return Objects.requireNonNull(caller);
    }

    Request request() {
        return request;
    }

    /** Returns the decoder of the heads of tensors. */
    HeaderCache headers() {
        return tools.headers();
    }

    @Nullable
    String header(String name) {
        return request.getHeaders().get(name);
    }

    QueryParameters query() {
        return new QueryParameters(request.getHttpURI().getQuery());
    }

    void setHeader(String name, String value) {
        response.getHeaders().put(name, value);
    }

    void setHeader(HttpField field) {
        response.getHeaders().put(field);
    }

    boolean hasHeader(String name) {
        return response.getHeaders().contains(name);
    }

    /** Notes that the client was asked for its body: from now on some of it may be in flight. */
    void bodyRequested() {
        body = Body.REQUESTED;
    }

    /** Notes that the body is read to its end. */
    void bodyRead() {
        body = Body.READ;
    }

    /** Runs a part of the handling, and refuses the request if it throws. */
    void guarded(Runnable part) {
        try {
            runOrRefuse(part);
        } catch (RuntimeException | Error broken) {
            // Nobody else would end it.
            LOG.error("a request ends without an answer", broken);
            fail(broken);
        }
    }

    private void runOrRefuse(Runnable part) {
        try {
            part.run();
        } catch (RequestRefused refused) {
            refuse(refused);
        } catch (RuntimeException | Error bug) {
            LOG.error("a request failed", bug);
            refuse(new RequestRefused(ProblemKind.INTERNAL, "the server's log says why"));
        }
    }

    /** Continues later, in a thread of the container. The connection may be idle until then. */
    void execute(Runnable part) {
        request.getComponents().getExecutor().execute(() -> guarded(part));
    }

    void allowIdle() {
        request.addIdleTimeoutListener(still -> false);
    }

    void json(int status, Object body) {
        setHeader(JSON);
        send(status, tools.json().writeValueAsBytes(body));
    }

    void empty(int status) {
        response.setStatus(status);
        write(ByteBuffer.allocate(0), Callback.from(this::written, this::fail));
    }

    /** Answers with a problem, unless a response has already begun. */
    void refuse(RequestRefused refused) {
        if (response.isCommitted()) {
            fail(refused);
            return;
        }
        response.reset();
        refused.headers().forEach(this::setHeader);
        setHeader(PROBLEM);
        send(refused.kind().status(), tools.json().writeValueAsBytes(refused.body()));
    }

    private void send(int status, byte[] answer) {
        write(status, ByteBuffer.wrap(answer), Callback.from(this::written, this::fail));
    }

    /**
     * Writes the complete response, as fast as the client takes it. {@code done} is notified, and notifies the
     * exchange.
     */
    void write(int status, ByteBuffer answer, Callback done) {
        response.setStatus(status);
        response.getHeaders().put(HttpHeader.CONTENT_LENGTH, answer.remaining());
        write(answer, done);
    }

    private void write(ByteBuffer answer, Callback done) {
        mustDrainBody = hasUnreadBody();
        response.write(!mustDrainBody, answer, done);
    }

    private boolean hasUnreadBody() {
        HttpFields headers = request.getHeaders();
        // A client that waits for status 100 has not sent its body yet.
        boolean isOnItsWay = body == Body.REQUESTED || (body == Body.UNREAD && !headers.contains(HttpHeader.EXPECT));
        return isOnItsWay && (request.getLength() > 0 || headers.contains(HttpHeader.TRANSFER_ENCODING));
    }

    /** Ends the exchange after its response. If some of the body is still unread, it is read and discarded first. */
    void written() {
        try {
            record();
        } finally {
            if (mustDrainBody) {
                Callback end = Callback.from(this::succeed, this::fail);
                long longestBytes = takesTensors ? tools.longestBytes() : 0;
                new UnreadBody(
                                request,
                                UnwantedBody.mostBytes(request.getLength(), longestBytes),
                                () -> disconnect("the rest of a refused body did not end in time"),
                                () -> response.write(true, ByteBuffer.allocate(0), end))
                        .run();
            } else {
                succeed();
            }
        }
    }

    private void succeed() {
        if (isOver.compareAndSet(false, true)) {
            callback.succeeded();
        }
    }

    /** Ends the exchange and its connection without a response, or in the middle of it. */
    void fail(Throwable gone) {
        if (!isOver.compareAndSet(false, true)) {
            return;
        }
        try {
            LOG.debug("a client of {} is gone", path, gone);
            record();
        } finally {
            callback.failed(gone);
        }
    }

    private void record() {
        if (isRecorded.compareAndSet(false, true)) {
            // Without a response there is no status.
            int status = response.getStatus() == 0 ? HttpStatus.INTERNAL_SERVER_ERROR_500 : response.getStatus();
            tools.meters().request(path, request.getMethod(), status, request.getBeginNanoTime());
        }
    }

    /** Closes the connection, whatever is being read or written on it. */
    void disconnect(String why) {
        EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
        IOException slow = new IOException(why);
        // The TLS end point would still send its close_notify, to a client that does not read.
        if (end instanceof SslConnection.SslEndPoint encrypted) {
            encrypted.getSslConnection().getEndPoint().close(slow);
        }
        end.close(slow);
    }
}
