package org.fleetgrad.protocol.messages;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.encoding.Encodings;
import org.jspecify.annotations.Nullable;

/**
 * Grants a lease.
 *
 * @param code           200
 * @param id             the worker's id from now on
 * @param leaseMs        milliseconds until the lease expires unless a call of the worker renews it
 * @param generation     history of the parameter set
 * @param version        newest version of it
 * @param sequence       highest sequence number that the server has stored for this id, 0 for none; the worker continues
 *     after it
 * @param workerMomentum momentum that the worker must apply to its gradients before it pushes them; 0 for none
 * @param synchronous    whether a step uses gradients on the newest version only
 * @param token          the bearer token for the worker's other calls; absent if the server has no keys
 * @param tokenExpiresMs milliseconds until the token expires
 * @param gradientEncodings names of the encodings in which the server accepts gradients; absent if it knows only
 *     {@code f32}
 * @param parameterEncodings names of the encodings in which it sends parameters; absent if it knows only {@code f32}
 * @param network        the network that the parameter set names; absent if there is no parameter set yet, or it names none
 * @param earlierMs      milliseconds since the registration of an earlier attempt of the same activation, which this one
 *     replaces; absent if there was none
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
        @Nullable Long earlierMs) {

    private static final List<String> PLAIN_ONLY = List.of(Encodings.PLAIN.name());

    /** Responds to a worker that replaces no other one. */
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
            @Nullable String network) {
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
                null);
    }

    /** Responds for an asynchronous server without keys. */
    public RegisterWorkerReply(
            int code, String id, long leaseMs, String generation, long version, long sequence, double workerMomentum) {
        this(code, id, leaseMs, generation, version, sequence, workerMomentum, null, null);
    }

    /** Responds for an asynchronous server that knows only {@code f32}. */
    public RegisterWorkerReply(
            int code,
            String id,
            long leaseMs,
            String generation,
            long version,
            long sequence,
            double workerMomentum,
            @Nullable String token,
            @Nullable Long tokenExpiresMs) {
        this(
                code,
                id,
                leaseMs,
                generation,
                version,
                sequence,
                workerMomentum,
                false,
                token,
                tokenExpiresMs,
                null,
                null,
                null);
    }

    /** Returns the names of the encodings in which the server accepts gradients. */
    public List<String> encodingsOfGradients() {
        return Optional.ofNullable(gradientEncodings).orElse(PLAIN_ONLY);
    }

    /** Returns the names of the encodings in which the server sends parameters. */
    public List<String> encodingsOfParameters() {
        return Optional.ofNullable(parameterEncodings).orElse(PLAIN_ONLY);
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
                earlierMs);
    }

    /** Leaves the token out: it must not appear in a log. */
    @Override
    public String toString() {
        return "RegisterWorkerReply[code=%d, id=%s, leaseMs=%d, generation=%s, version=%d, sequence=%d, workerMomentum=%s]"
                .formatted(code, id, leaseMs, generation, version, sequence, workerMomentum);
    }
}
