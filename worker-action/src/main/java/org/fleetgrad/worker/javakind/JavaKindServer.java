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
import java.nio.file.Path;
import java.util.function.Supplier;
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
    private volatile @Nullable ActionJar action;

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

    JavaKindServer(InetSocketAddress address, PrintStream out, PrintStream err) throws IOException {
        super(address, out, err);
        this.err = err;
    }

    @Override
    protected Arrived read(HttpExchange exchange) throws IOException {
        Supplier<Answer> handler = switch (exchange.getRequestURI().getPath()) {
            case "/init" -> readInit(exchange);
            case "/run" -> readRun(exchange);
            default -> () -> new Answer(NOT_FOUND, "{\"error\":\"this runtime knows POST /init and POST /run only\"}");
        };
        return () -> {
            Answer answer = handler.get();
            return new Response(answer.status(), answer.body().getBytes(StandardCharsets.UTF_8));
        };
    }

    private Supplier<Answer> readInit(HttpExchange exchange) throws IOException {
        try (InputStream body = new BoundedRequestBody(exchange.getRequestBody(), LARGEST_INIT)) {
            if (action != null) {
                // Otherwise a client that is still sending a jar would get a connection reset, and no response.
                long unused = body.transferTo(OutputStream.nullOutputStream());
                return this::initializedBefore;
            }
            try {
                InitRequest request = InitRequest.read(body);
                return () -> init(request);
            } catch (IOException | RuntimeException unreadable) {
                return () -> initFailed(unreadable);
            }
        }
    }

    private Answer initializedBefore() {
        String message = "Cannot initialize the action more than once.";
        err.println(message);
        return Answer.error(message);
    }

    private Answer init(InitRequest request) {
        Path code = request.code();
        boolean isUsed = false;
        try {
            if (action != null) {
                return initializedBefore();
            }
            if (request.main() == null || code == null) {
                return Answer.error("Missing main/no code to execute.");
            }
            ActionJar opened = ActionJar.open(code, request.main());
            environment.initialize(request.variables());
            code.toFile().deleteOnExit();
            action = opened;
            isUsed = true;
            return new Answer(OK, "OK");
        } catch (Exception | LinkageError failed) {
            return initFailed(failed);
        } finally {
            if (!isUsed) {
                // A client that fails again and again must not fill the disk.
                request.discard();
            }
        }
    }

    private Answer initFailed(Throwable failed) {
        failed.printStackTrace(err);
        endLog();
        return Answer.failed(failed);
    }

    private Supplier<Answer> readRun(HttpExchange exchange) {
        try (InputStream body = new BoundedRequestBody(exchange.getRequestBody(), LARGEST_RUN)) {
            byte[] bytes = body.readAllBytes();
            return () -> run(bytes);
        } catch (IOException unreadable) {
            return () -> {
                unreadable.printStackTrace(err);
                endLog();
                return Answer.failed(unreadable);
            };
        }
    }

    private Answer run(byte[] body) {
        ActionJar loaded = action;
        if (loaded == null) {
            return Answer.error("Cannot invoke an uninitialized action.");
        }
        try {
            JsonObject request = JsonParser.parseString(new String(body, StandardCharsets.UTF_8))
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
