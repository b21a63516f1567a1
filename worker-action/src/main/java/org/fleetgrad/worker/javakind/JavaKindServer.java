package org.fleetgrad.worker.javakind;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.sun.net.httpserver.HttpExchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.worker.action.ActionEndpoint;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of the Java kind: {@code POST /init} with an action's jar, then {@code POST /run} any number of
 * times, one at a time. Its responses are those of Apache OpenWhisk's own Java runtime. It improves on that runtime in
 * three points: it exports the variables of {@code /init}, removes those of the last {@code /run}, and writes the jar
 * to its file without holding it in the heap.
 */
final class JavaKindServer extends ActionEndpoint {

    /** More than OpenWhisk's limit of 48 MB for the encoded code. */
    private static final int LARGEST_INIT = 64 * 1024 * 1024;

    private static final int LARGEST_RUN = 2 * 1024 * 1024;
    private static final int OK = 200;
    private static final int NOT_FOUND = 404;
    private static final int BAD_GATEWAY = 502;

    private final ProcessEnvironment environment = new ProcessEnvironment();
    private final PrintStream err;
    private @Nullable ActionJar action;

    /** A response. */
    private record Answer(int status, String body) {

        static Answer error(String message) {
            JsonObject body = new JsonObject();
            body.addProperty("error", message);
            return new Answer(BAD_GATEWAY, body.toString());
        }

        static Answer failed(Throwable cause) {
            return error("An error has occurred (see logs for details): " + cause);
        }
    }

    private interface Handler {
        Answer handle(InputStream body) throws IOException;
    }

    JavaKindServer(InetSocketAddress address, PrintStream out, PrintStream err) throws IOException {
        super(address, out, err);
        this.err = err;
    }

    @Override
    protected void handle(HttpExchange exchange) throws IOException {
        switch (exchange.getRequestURI().getPath()) {
            case "/init" -> respond(exchange, LARGEST_INIT, this::init);
            case "/run" -> respond(exchange, LARGEST_RUN, this::run);
            default ->
                respond(
                        exchange,
                        0,
                        body -> new Answer(
                                NOT_FOUND, "{\"error\":\"this runtime knows POST /init and POST /run only\"}"));
        }
    }

    private void respond(HttpExchange exchange, int largest, Handler handler) throws IOException {
        try (exchange) {
            Answer answer;
            try (InputStream body = new BoundedRequestBody(exchange.getRequestBody(), largest)) {
                answer = handler.handle(body);
            }
            respond(exchange, answer.status(), answer.body().getBytes(StandardCharsets.UTF_8));
        }
    }

    private Answer init(InputStream body) throws IOException {
        if (action != null) {
            // Otherwise a client that is still sending a jar would get a connection reset, and no response.
            long unused = body.transferTo(OutputStream.nullOutputStream());
            String message = "Cannot initialize the action more than once.";
            err.println(message);
            return Answer.error(message);
        }
        try {
            InitRequest request = InitRequest.read(body);
            if (request.main() == null || request.code() == null) {
                return Answer.error("Missing main/no code to execute.");
            }
            action = ActionJar.open(request.code(), request.main());
            environment.initialize(request.variables());
            return new Answer(OK, "OK");
        } catch (Exception | LinkageError failed) {
            failed.printStackTrace(err);
            endLog();
            return Answer.failed(failed);
        }
    }

    private Answer run(InputStream body) {
        ActionJar loaded = action;
        if (loaded == null) {
            return Answer.error("Cannot invoke an uninitialized action.");
        }
        try {
            JsonObject request = JsonParser.parseString(new String(body.readAllBytes(), StandardCharsets.UTF_8))
                    .getAsJsonObject();
            environment.begin(request);
            return new Answer(OK, loaded.invoke(request.get("value")).toString());
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause() == null ? thrown : thrown.getCause();
            cause.printStackTrace(err);
            return Answer.error("An error has occurred while invoking the action (see logs for details): " + cause);
        } catch (Exception | LinkageError failed) {
            failed.printStackTrace(err);
            return Answer.failed(failed);
        } finally {
            endLog();
        }
    }

    /** A request body that fails with an error if it is larger than OpenWhisk's limit. Not thread-safe. */
    static final class BoundedRequestBody extends FilterInputStream {

        private final int most;
        private long count;

        BoundedRequestBody(InputStream in, int most) {
            super(in);
            this.most = most;
        }

        @Override
        public int read() throws IOException {
            int next = super.read();
            return counted(next < 0 ? -1 : 1) < 0 ? -1 : next;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            return counted(super.read(bytes, offset, length));
        }

        private int counted(int read) throws IOException {
            count += Math.max(0, read);
            if (count > most) {
                throw new IOException("the body has more than %d bytes".formatted(most));
            }
            return read;
        }
    }
}
