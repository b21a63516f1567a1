package org.fleetgrad.protocol.messages;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.tensor.FreezePatterns;
import org.jspecify.annotations.Nullable;

/**
 * The messages about workers: registration, its end, and steps that a worker has no gradient for. The {@code code} of a
 * reply is its HTTP status.
 */
public final class WorkerMessages {

    private WorkerMessages() {}

    /**
     * Requests a lease.
     *
     * @param id          the id that the worker requests; if absent, the server generates one
     * @param description what the worker is, for people
     * @param deadline    epoch milliseconds at which the worker will be gone, if it knows
     * @param device      device that it computes on, such as {@code cpu}
     * @param address     where it serves predictions while it trains, such as {@code http://10.0.0.7:29700}, if it does
     * @param activation  the platform's id of the activation that the worker is, if it is one: a new attempt of the
     *     same activation replaces the earlier one at once
     * @param accessKey   names the worker's role, if the server has keys
     * @param secretKey   proves it
     */
    public record RegisterWorkerRequest(
            @Nullable String id,
            @Nullable String description,
            @Nullable Long deadline,
            @Nullable String device,
            @Nullable String address,
            @Nullable String activation,
            @Nullable String accessKey,
            @Nullable String secretKey) {

        /** Registers with a server without keys, for a worker that serves no predictions. */
        public RegisterWorkerRequest(
                @Nullable String id, @Nullable String description, @Nullable Long deadline, @Nullable String device) {
            this(id, description, deadline, device, null, null, null, null);
        }

        /** Returns the same request under another id. */
        public RegisterWorkerRequest under(String other) {
            return new RegisterWorkerRequest(
                    other, description, deadline, device, address, activation, accessKey, secretKey);
        }

        /** Returns the same request with keys. */
        public RegisterWorkerRequest withKeys(String access, String secret) {
            return new RegisterWorkerRequest(id, description, deadline, device, address, activation, access, secret);
        }

        /** Leaves the keys out: they must not appear in a log. */
        @Override
        public String toString() {
            return "RegisterWorkerRequest[id=%s, description=%s, deadline=%s, device=%s, address=%s, activation=%s]"
                    .formatted(id, description, deadline, device, address, activation);
        }
    }

    /**
     * Grants a lease.
     *
     * @param id             the worker's id from now on
     * @param leaseMs        milliseconds until the lease expires unless a call of the worker renews it
     * @param generation     history of the parameter set
     * @param version        newest version of it
     * @param sequence       highest sequence number that the server has stored for this id, 0 for none; the worker
     *     continues after it
     * @param workerMomentum momentum that the worker must apply to its gradients before it pushes them; 0 for none
     * @param synchronous    whether a step uses gradients on the newest version only
     * @param token          the bearer token for the worker's other calls; absent if the server has no keys
     * @param tokenExpiresMs milliseconds until the token expires
     * @param gradientEncodings names of the encodings in which the server accepts gradients; absent if only {@code f32}
     * @param parameterEncodings names of the encodings in which it sends parameters; absent if only {@code f32}
     * @param network        the network that the parameter set names; absent if there is none
     * @param freeze         patterns of the tensors that are frozen, as {@link FreezePatterns#parse} reads them: the worker
     *     sends gradients of the others alone; absent if none is
     * @param earlierMs      milliseconds since the registration of an earlier attempt of the same activation, which
     *     this one replaces; absent if there was none
     * @param localSteps the steps that the worker makes by itself between two pushes; absent if it pushes gradients
     */
    public record RegisterWorkerReply(
            int code,
            String id,
            long leaseMs,
            String generation,
            long version,
            long sequence,
            double workerMomentum,
            boolean synchronous,
            @Nullable String token,
            @Nullable Long tokenExpiresMs,
            @Nullable List<String> gradientEncodings,
            @Nullable List<String> parameterEncodings,
            @Nullable String network,
            @Nullable String freeze,
            @Nullable Long earlierMs,
            @Nullable LocalStepsTerms localSteps) {

        /** Grants a lease to a worker that pushes gradients. */
        public RegisterWorkerReply(
                int code,
                String id,
                long leaseMs,
                String generation,
                long version,
                long sequence,
                double workerMomentum,
                boolean synchronous,
                @Nullable String token,
                @Nullable Long tokenExpiresMs,
                @Nullable List<String> gradientEncodings,
                @Nullable List<String> parameterEncodings,
                @Nullable String network,
                @Nullable String freeze,
                @Nullable Long earlierMs) {
            this(
                    code,
                    id,
                    leaseMs,
                    generation,
                    version,
                    sequence,
                    workerMomentum,
                    synchronous,
                    token,
                    tokenExpiresMs,
                    gradientEncodings,
                    parameterEncodings,
                    network,
                    freeze,
                    earlierMs,
                    null);
        }

        private static final List<String> PLAIN_ONLY = List.of(Encodings.PLAIN.name());

        /** Returns the names of the encodings in which the server accepts gradients. */
        public List<String> encodingsOfGradients() {
            return Optional.ofNullable(gradientEncodings).orElse(PLAIN_ONLY);
        }

        /** Returns the names of the encodings in which the server sends parameters. */
        public List<String> encodingsOfParameters() {
            return Optional.ofNullable(parameterEncodings).orElse(PLAIN_ONLY);
        }

        /** Returns which tensors are frozen; throws an {@link IllegalArgumentException} if the text is malformed. */
        public FreezePatterns frozen() {
            return FreezePatterns.parse(Optional.ofNullable(freeze).orElse(""));
        }

        /** Returns the same with another sequence number. */
        public RegisterWorkerReply withSequence(long highest) {
            return new RegisterWorkerReply(
                    code,
                    id,
                    leaseMs,
                    generation,
                    version,
                    highest,
                    workerMomentum,
                    synchronous,
                    token,
                    tokenExpiresMs,
                    gradientEncodings,
                    parameterEncodings,
                    network,
                    freeze,
                    earlierMs,
                    localSteps);
        }

        /** Leaves the token out: it must not appear in a log. */
        @Override
        public String toString() {
            return "RegisterWorkerReply[code=%d, id=%s, leaseMs=%d, generation=%s, version=%d, sequence=%d, workerMomentum=%s]"
                    .formatted(code, id, leaseMs, generation, version, sequence, workerMomentum);
        }
    }

    /**
     * The steps that a worker makes by itself between two pushes.
     *
     * @param steps        number of them, 1 or more
     * @param optimizer    the inner optimizer, a text such as {@code adamw:weight-decay=0.1}
     * @param learningRate of the inner optimizer
     */
    public record LocalStepsTerms(int steps, String optimizer, double learningRate) {

        /** Checks that the optimizer is named. */
        public LocalStepsTerms {
            Objects.requireNonNull(optimizer, "optimizer");
        }
    }

    /**
     * Ends a lease.
     *
     * @param id the registered worker
     */
    public record UnregisterWorkerRequest(@Nullable String id) {}

    /**
     * Confirms the end of a lease.
     *
     * @param id   the worker that is no longer registered
     */
    public record UnregisterWorkerReply(int code, String id) {}

    /**
     * Reports that a worker has no gradient for the step from a version, so the step need not wait for it.
     *
     * @param worker     the registered worker
     * @param generation history that the version counts in
     * @param version    the version that the step would be made from
     */
    public record PassStepRequest(
            @Nullable String worker,
            @Nullable String generation,
            @Nullable Long version) {}

    /**
     * Confirms that the server does not wait for the worker in this step.
     *
     * @param version the newest version
     */
    public record PassStepReply(int code, long version) {}
}
