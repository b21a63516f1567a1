package org.fleetgrad.http.body;

import java.nio.ByteBuffer;
import java.util.Map;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.protocol.HeaderNames;
import org.fleetgrad.protocol.ProblemKind;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Responds with a problem when Jetty refuses a request before any route sees it, such as a path with control characters.
 * Jetty's own response is an HTML page that repeats the path.
 */
public final class JettyErrorHandler extends ErrorHandler {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final int SERVER_ERROR = 500;
    private static final int BUSY = 503;
    private static final int TIMEOUT = 408;

    /** Any method may be refused, not only those whose responses a browser shows. */
    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    protected void generateResponse(
            Request request,
            Response response,
            int code,
            @Nullable String message,
            @Nullable Throwable cause,
            Callback callback) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, HeaderNames.PROBLEM_JSON);
        byte[] body =
                JSON.writeValueAsBytes(body(code, message, request.getHttpURI().getPath()));
        response.write(true, ByteBuffer.wrap(body), callback);
    }

    private static Map<String, Object> body(int code, @Nullable String message, @Nullable String path) {
        boolean isOurs = code >= SERVER_ERROR;
        boolean isBusy = code == BUSY;
        ProblemKind kind = switch (code) {
            case BUSY -> ProblemKind.BUSY;
            case TIMEOUT -> ProblemKind.REQUEST_TIMEOUT;
            default -> isOurs ? ProblemKind.INTERNAL : ProblemKind.MALFORMED;
        };
        // Jetty's reason for refusing, such as "Suspicious Path Character"; internal failures go only to the log.
        String detail = (isOurs && !isBusy) || message == null
                ? "the server cannot answer this"
                : "the request is refused: " + message;
        Map<String, Object> body = new RequestRefused(kind, detail).body(path);
        body.put("status", code);
        body.put("code", code);
        return body;
    }
}
