package org.fleetgrad.simulation.server;

import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Components;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Context;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Session;
import org.eclipse.jetty.server.TunnelSupport;
import org.eclipse.jetty.util.Attributes;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/**
 * A request as Jetty's handlers see it, whose body arrives in pieces and may break off. It assumes of Jetty: a piece is read once,
 * {@code read} returns nothing while nothing is there, and a demand is met once by the next piece.
 */
final class ArrivingRequest extends Attributes.Mapped implements Request {

    private final String method;
    private final HttpURI uri;
    private final HttpFields headers;
    private final Executor later;
    private final Scheduler timer;
    private final Deque<Content.Chunk> arrived = new ArrayDeque<>();
    private @Nullable Runnable demand;

    /**
     * @param headers with Content-Length if there is a body
     * @param later   runs what the handlers leave to a thread of the container
     * @param timer   runs what they leave to its timer
     */
    ArrivingRequest(String method, String pathAndQuery, Map<String, String> headers, Executor later, Scheduler timer) {
        this.method = method;
        this.uri = HttpURI.from(pathAndQuery);
        HttpFields.Mutable fields = HttpFields.build();
        headers.forEach(fields::put);
        this.headers = fields;
        this.later = later;
        this.timer = timer;
    }

    /** Lets a piece of the body arrive. */
    void arrive(ByteBuffer piece, boolean isLast) {
        arrived.add(Content.Chunk.from(piece, isLast));
        meetDemand();
    }

    /** Breaks the connection off. */
    void breakOff() {
        arrived.add(Content.Chunk.from(new EofException("the sender is gone"), true));
        meetDemand();
    }

    private void meetDemand() {
        Runnable waiting = demand;
        if (waiting != null) {
            demand = null;
            waiting.run();
        }
    }

    @Override
    public Content.@Nullable Chunk read() {
        Content.Chunk next = arrived.poll();
        return next != null || !headers.contains("Content-Length", "0") ? next : Content.Chunk.EOF;
    }

    @Override
    public long getLength() {
        return headers.getLongField("Content-Length");
    }

    @Override
    public void demand(Runnable callback) {
        if (arrived.isEmpty()) {
            demand = callback;
        } else {
            callback.run();
        }
    }

    @Override
    public void fail(Throwable failure) {
        breakOff();
    }

    @Override
    public String getId() {
        return "simulated";
    }

    @Override
    public Components getComponents() {
        return (Components) answering(Components.class, Map.of("getExecutor", later, "getScheduler", timer));
    }

    @Override
    public ConnectionMetaData getConnectionMetaData() {
        return (ConnectionMetaData) answering(
                ConnectionMetaData.class,
                Map.of("getRemoteSocketAddress", InetSocketAddress.createUnresolved("worker", 1)));
    }

    @Override
    public Context getContext() {
        return (Context) answering(Context.class, Map.of("getPathInContext", uri.getPath()));
    }

    /** Makes an object that knows some answers; whatever else it is asked is a gap in this simulation. */
    private static Object answering(Class<?> type, Map<String, Object> answers) {
        return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, asked, arguments) -> {
            Object answer = answers.get(asked.getName());
            if (answer != null) {
                return answer;
            }
            throw new UnsupportedOperationException(type.getSimpleName() + "." + asked.getName());
        });
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public HttpURI getHttpURI() {
        return uri;
    }

    @Override
    public HttpFields getHeaders() {
        return headers;
    }

    @Override
    public HttpFields getTrailers() {
        return HttpFields.EMPTY;
    }

    @Override
    public long getBeginNanoTime() {
        return 0;
    }

    @Override
    public long getHeadersNanoTime() {
        return 0;
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public boolean consumeAvailable() {
        arrived.clear();
        return true;
    }

    @Override
    public void addIdleTimeoutListener(Predicate<TimeoutException> onIdle) {}

    @Override
    public void addFailureListener(Consumer<Throwable> onFailure) {}

    @Override
    public @Nullable TunnelSupport getTunnelSupport() {
        return null;
    }

    @Override
    public void addHttpStreamWrapper(Function<HttpStream, HttpStream> wrapper) {}

    @Override
    public @Nullable Session getSession(boolean create) {
        return null;
    }
}
