package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.openwhisk.Wire.Call;
import org.fleetgrad.openwhisk.Wire.WhiskResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls a controller. Each call is sent once, without a retry; package {@code pacing} retries calls. Blocking and
 * thread-safe.
 *
 * <p>Every call throws {@link OpenWhiskException} if its outcome is none of its result types. Exceptions never contain
 * the key.
 */
public final class OpenWhiskClient {

    private static final String ACTIVATION_ID = "x-openwhisk-activation-id";
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");
    private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(30);

    /** A record has at most 1 MiB of result. Its logs have up to 10 MB, or more if the log store does not cut them. */
    private static final int LONGEST_ANSWER = 32 * 1024 * 1024;

    private static final int MULTIPLE_CHOICES = 300;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int SERVER_ERROR = 500;
    private static final int SERVICE_UNAVAILABLE = 503;

    private final JsonMapper json = JsonMapper.builder().build();
    private final ApiHost host;
    private final Wire wire;

    /**
     * Makes a client for the namespace of the key; sends nothing.
     *
     * @param trust the certificates to trust over https; the JDK's if absent
     */
    public OpenWhiskClient(ApiHost host, WhiskAuth auth, Optional<SSLContext> trust) {
        this(host, new Wire(auth, trust, ANSWER_TIMEOUT, LONGEST_ANSWER));
    }

    OpenWhiskClient(ApiHost host, Wire wire) {
        this.host = host;
        this.wire = wire;
    }

    /** Stores an action, replacing one of the same name. Repeating the call changes only the version. */
    public ActionPutResult putAction(ActionDefinition definition) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = send("PUT", action(definition.name()) + "?overwrite=true", definition.json());
        if (answer.isSuccess()) {
            return new ActionPutResult.Stored(Action.read(answer));
        }
        String message = message(answer);
        if (answer.status() == CONFLICT) {
            return new ActionPutResult.Conflict(message);
        }
        if (isRefusal(answer)) {
            return new ActionPutResult.Refused(answer.status(), message);
        }
        throw failed(answer);
    }

    /** Reads an action; empty if there is none of this name. */
    public Optional<Action> getAction(String name) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = get(action(name));
        if (answer.status() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(Action.read(successful(answer)));
    }

    /** Deletes an action; returns whether it existed. Its running activations continue. */
    public boolean deleteAction(String name) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = exchange(new Call("DELETE", host.resolve(action(name)), null));
        if (answer.status() != NOT_FOUND) {
            successful(answer);
        }
        return answer.status() != NOT_FOUND;
    }

    /**
     * Invokes an action and does not wait for it.
     *
     * @param parameters values that become JSON, 1 MiB at most; they override those stored with the action
     * @throws OpenWhiskException if it was certainly not accepted
     */
    public Invocation invoke(String name, Map<String, ?> parameters) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer;
        try {
            answer = send("POST", action(name), parameters);
        } catch (OpenWhiskException failed) {
            if (failed.kind() == OpenWhiskException.Kind.LOST || failed.kind() == OpenWhiskException.Kind.MALFORMED) {
                return new Invocation.Uncertain(String.valueOf(failed.getMessage()));
            }
            throw failed;
        }
        if (answer.isSuccess()) {
            return invoked(answer);
        }
        String message = message(answer);
        if (answer.status() == TOO_MANY_REQUESTS || answer.status() == SERVICE_UNAVAILABLE) {
            return new Invocation.Throttled(reason(message), retryAfter(answer), message);
        }
        if (isRefusal(answer)) {
            return new Invocation.Refused(answer.status(), message);
        }
        if (answer.status() >= SERVER_ERROR) {
            return new Invocation.Uncertain("%s: %d %s".formatted(answer.call(), answer.status(), message));
        }
        throw failed(answer);
    }

    private static Invocation invoked(WhiskResponse answer) {
        String reason;
        try {
            String id = Fields.of(answer).text("activationId");
            if (ID.matcher(id).matches()) {
                return new Invocation.Invoked(id);
            }
            reason = "%s answered %d with an invalid activation id: %s"
                    .formatted(answer.call(), answer.status(), answer.shown(id));
        } catch (OpenWhiskException malformed) {
            reason = String.valueOf(malformed.getMessage());
        }
        // The id is also in a header, in case a proxy rewrote the body.
        return answer.headers()
                .firstValue(ACTIVATION_ID)
                .filter(id -> ID.matcher(id).matches())
                .<Invocation>map(Invocation.Invoked::new)
                .orElse(new Invocation.Uncertain(reason));
    }

    /**
     * Reads the record of an activation; empty if none is stored: the activation waits or runs, its record is not written
     * yet, or the id never existed.
     */
    public Optional<ActivationRecord> activation(String activationId) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = get(activationPath(activationId));
        return answer.status() == NOT_FOUND ? Optional.empty() : Optional.of(ActivationRecord.read(successful(answer)));
    }

    /** Reads the output of an activation; empty if its record is not stored yet. */
    public Optional<List<String>> logs(String activationId) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = get(activationPath(activationId) + "/logs");
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(Fields.of(successful(answer)).texts("logs"));
    }

    /** Reads the limits of the namespace. */
    public NamespaceLimits limits() throws OpenWhiskException, InterruptedException {
        return NamespaceLimits.read(successful(get("/namespaces/_/limits")));
    }

    private static String action(String name) {
        return "/namespaces/_/actions/" + ActionDefinition.path(name);
    }

    private static String activationPath(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "an activation id must have letters and digits only; it is '%s'".formatted(Printable.text(id)));
        }
        return "/namespaces/_/activations/" + id;
    }

    private WhiskResponse get(String path) throws OpenWhiskException, InterruptedException {
        return exchange(Call.get(host.resolve(path)));
    }

    private WhiskResponse send(String method, String path, Object body)
            throws OpenWhiskException, InterruptedException {
        return exchange(new Call(method, host.resolve(path), json.writeValueAsBytes(body)));
    }

    private WhiskResponse exchange(Call call) throws OpenWhiskException, InterruptedException {
        WhiskResponse answer = wire.exchange(call);
        if (answer.status() >= MULTIPLE_CHOICES && answer.status() < BAD_REQUEST) {
            String location = answer.headers().firstValue("Location").orElse("nowhere");
            throw OpenWhiskException.refused(
                    answer,
                    "redirects to %s, which is not followed: the key is for %s only; write the address of the controller in %s"
                            .formatted(answer.shown(location), host, OpenWhiskEnvironment.APIHOST));
        }
        return answer;
    }

    private WhiskResponse successful(WhiskResponse answer) throws OpenWhiskException {
        if (!answer.isSuccess()) {
            throw failed(answer);
        }
        return answer;
    }

    private OpenWhiskException failed(WhiskResponse answer) {
        return OpenWhiskException.refused(answer, message(answer));
    }

    private static boolean isRefusal(WhiskResponse answer) {
        return answer.status() >= BAD_REQUEST && answer.status() < SERVER_ERROR;
    }

    /**
     * Reads the controller's error message, in one line: a controller writes line breaks. Text that is not a controller's,
     * such as a proxy's page, is formatted the same way.
     */
    private String message(WhiskResponse answer) {
        String text = answer.text().strip();
        try {
            JsonNode error = json.readTree(answer.body()).path("error");
            text = error.isString() ? error.stringValue() : text;
        } catch (JacksonException notJson) {
            // Not JSON: shows the text below.
        }
        return text.isEmpty() ? "without a reason" : answer.shown(text.replaceAll("\\s+", " "));
    }

    private static Invocation.Reason reason(String message) {
        if (message.startsWith("Too many requests in the last minute")) {
            return Invocation.Reason.RATE;
        }
        return message.startsWith("Too many concurrent requests")
                ? Invocation.Reason.CONCURRENCY
                : Invocation.Reason.OVERLOAD;
    }

    private static Optional<Duration> retryAfter(WhiskResponse answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("\\d{1,4}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    @Override
    public String toString() {
        return "OpenWhiskClient[%s]".formatted(host);
    }
}
