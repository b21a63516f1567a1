package org.fleetgrad.openwhisk;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.fleetgrad.files.text.Printable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls a controller, each call once and without a pause; {@code pacing} repeats. Blocking, safe from several threads.
 *
 * <p>Every call throws {@link OpenWhiskException} where it comes to nothing that it has a result for, and never shows the key.
 */
public final class OpenWhiskClient {

    private static final String ACTIVATION_ID = "x-openwhisk-activation-id";
    private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1,64}");
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

    /** Prepares a client of the key's namespace; nothing is sent. */
    public OpenWhiskClient(ApiHost host, WhiskAuth auth, OpenWhiskOptions options) {
        this.host = host;
        this.wire = new Wire(auth, options);
    }

    /** Stores an action, in the place of one of that name. Repeating it changes nothing but the version. */
    public PutResult putAction(ActionDefinition definition) throws OpenWhiskException, InterruptedException {
        Answer answer = send("PUT", action(definition.name()) + "?overwrite=true", definition.json());
        if (answer.isSuccess()) {
            return new PutResult.Stored(Action.read(answer));
        }
        String message = message(answer);
        if (answer.status() == CONFLICT) {
            return new PutResult.Conflict(message);
        }
        if (isRefusal(answer)) {
            return new PutResult.Refused(answer.status(), message);
        }
        throw failed(answer);
    }

    /** Reads an action; nothing where there is none of that name. */
    public Optional<Action> getAction(String name) throws OpenWhiskException, InterruptedException {
        Answer answer = get(action(name));
        if (answer.status() == NOT_FOUND) {
            return Optional.empty();
        }
        return Optional.of(Action.read(successful(answer)));
    }

    /** Deletes an action; tells whether there was one of that name. What runs of it runs on. */
    public boolean deleteAction(String name) throws OpenWhiskException, InterruptedException {
        Answer answer = exchange(new Call("DELETE", host.resolve(action(name)), null));
        if (answer.status() != NOT_FOUND) {
            successful(answer);
        }
        return answer.status() != NOT_FOUND;
    }

    /**
     * Invokes an action and does not wait for it.
     *
     * @param parameters anything that becomes JSON, 1 MiB at most; over those that are stored with the action
     * @throws OpenWhiskException when it was surely not accepted
     */
    public Invocation invoke(String name, Map<String, ?> parameters) throws OpenWhiskException, InterruptedException {
        Answer answer;
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

    private static Invocation invoked(Answer answer) {
        String reason;
        try {
            String id = Fields.of(answer).text("activationId");
            if (ID.matcher(id).matches()) {
                return new Invocation.Invoked(id);
            }
            reason = "%s answered %d with an activation id that is none: %s"
                    .formatted(answer.call(), answer.status(), answer.shown(id));
        } catch (OpenWhiskException malformed) {
            reason = String.valueOf(malformed.getMessage());
        }
        // The id is in a header too, which outlives a body that somebody rewrote.
        return answer.headers()
                .firstValue(ACTIVATION_ID)
                .filter(id -> ID.matcher(id).matches())
                .<Invocation>map(Invocation.Invoked::new)
                .orElse(new Invocation.Uncertain(reason));
    }

    /** Asks what became of an activation. */
    public Activation activation(String activationId) throws OpenWhiskException, InterruptedException {
        Answer answer = get(activationPath(activationId));
        return answer.status() == NOT_FOUND
                ? new Activation.NotYet()
                : new Activation.Ended(ActivationRecord.read(successful(answer)));
    }

    /** Reads what an activation printed; nothing where its record is not stored yet. */
    public Optional<List<String>> logs(String activationId) throws OpenWhiskException, InterruptedException {
        Answer answer = get(activationPath(activationId) + "/logs");
        return answer.status() == NOT_FOUND
                ? Optional.empty()
                : Optional.of(Fields.of(successful(answer)).texts("logs"));
    }

    /** Reads what the namespace may do. */
    public NamespaceLimits limits() throws OpenWhiskException, InterruptedException {
        return NamespaceLimits.read(successful(get("/namespaces/_/limits")));
    }

    private static String action(String name) {
        return "/namespaces/_/actions/" + ActionName.path(name);
    }

    private static String activationPath(String id) {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "an activation id has letters and digits; this is '%s'".formatted(Printable.text(id)));
        }
        return "/namespaces/_/activations/" + id;
    }

    private Answer get(String path) throws OpenWhiskException, InterruptedException {
        return exchange(Call.get(host.resolve(path)));
    }

    private Answer send(String method, String path, Object body) throws OpenWhiskException, InterruptedException {
        return exchange(new Call(method, host.resolve(path), json.writeValueAsBytes(body)));
    }

    private Answer exchange(Call call) throws OpenWhiskException, InterruptedException {
        Answer answer = wire.exchange(call);
        if (answer.status() >= MULTIPLE_CHOICES && answer.status() < BAD_REQUEST) {
            String location = answer.headers().firstValue("Location").orElse("nowhere");
            throw OpenWhiskException.refused(
                    answer,
                    "leads to %s, and is not followed: the key is for %s only; write the address of the controller in %s"
                            .formatted(answer.shown(location), host, OpenWhiskEnvironment.APIHOST));
        }
        return answer;
    }

    private Answer successful(Answer answer) throws OpenWhiskException {
        if (!answer.isSuccess()) {
            throw failed(answer);
        }
        return answer;
    }

    private OpenWhiskException failed(Answer answer) {
        return OpenWhiskException.refused(answer, message(answer));
    }

    private static boolean isRefusal(Answer answer) {
        return answer.status() >= BAD_REQUEST && answer.status() < SERVER_ERROR;
    }

    /** Reads the controller's words; what is none of a controller's, such as a proxy's page, is shown as it is. */
    private String message(Answer answer) {
        String text = answer.text().strip();
        try {
            JsonNode error = json.readTree(answer.body()).path("error");
            text = error.isString() ? error.stringValue() : text;
        } catch (JacksonException notJson) {
            // Falls through.
        }
        return text.isEmpty() ? "without a reason" : answer.shown(text);
    }

    private static Invocation.Reason reason(String message) {
        if (message.startsWith("Too many requests in the last minute")) {
            return Invocation.Reason.RATE;
        }
        return message.startsWith("Too many concurrent requests")
                ? Invocation.Reason.CONCURRENCY
                : Invocation.Reason.OVERLOAD;
    }

    private static Optional<Duration> retryAfter(Answer answer) {
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
