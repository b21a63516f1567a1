package org.fleetgrad.simulation.server;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.client.internal.http.Transport;
import org.jspecify.annotations.Nullable;

/** A response as Jetty's handlers write it, collected for its client. */
final class CollectedResponse implements Response {

    private final Request request;
    private final HttpFields.Mutable headers = HttpFields.build();
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();
    private int status;
    private boolean isCommitted;
    private boolean isComplete;

    CollectedResponse(Request request) {
        this.request = request;
    }

    /** Returns what the client gets. */
    Transport.Response collected() {
        TreeMap<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach(field -> fields.put(field.getName(), field.getValue()));
        return new Transport.Response(status, fields, ByteBuffer.wrap(body.toByteArray()));
    }

    @Override
    public void write(boolean last, ByteBuffer content, Callback callback) {
        isCommitted = true;
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        body.writeBytes(bytes);
        isComplete |= last;
        callback.succeeded();
    }

    @Override
    public Request getRequest() {
        return request;
    }

    @Override
    public int getStatus() {
        return status;
    }

    @Override
    public void setStatus(int code) {
        status = code;
    }

    @Override
    public HttpFields.Mutable getHeaders() {
        return headers;
    }

    @Override
    public @Nullable Supplier<HttpFields> getTrailersSupplier() {
        return null;
    }

    @Override
    public void setTrailersSupplier(Supplier<HttpFields> trailers) {}

    @Override
    public boolean isCommitted() {
        return isCommitted;
    }

    @Override
    public boolean hasLastWrite() {
        return isComplete;
    }

    @Override
    public boolean isCompletedSuccessfully() {
        return isComplete;
    }

    @Override
    public void reset() {
        status = 0;
        headers.clear();
    }

    @Override
    public CompletableFuture<Void> writeInterim(int code, HttpFields fields) {
        return CompletableFuture.completedFuture(null);
    }
}
