package org.fleetgrad.protocol.messages;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.jspecify.annotations.Nullable;

/**
 * The messages about the parameter set and its gradients; the tensors themselves travel as safetensors. The {@code
 * code} of a reply is its HTTP status.
 */
public final class ParameterMessages {

    private ParameterMessages() {}

    /**
     * Confirms that a parameter set was accepted.
     *
     * @param code       200 or 201
     * @param generation history that it belongs to
     * @param version    version under which it is served
     * @param tensors    number of tensors
     * @param bytes      size of all tensors together
     */
    public record PutParameterReply(int code, String generation, long version, int tensors, long bytes) {}

    /**
     * The newest version of the parameters.
     *
     * @param version         steps applied since the run began
     * @param accuracy        newest held-out accuracy, 0 to 1; absent before the first evaluation, and where numbers are predicted
     * @param heldOutLoss     its mean loss, if it was reported
     * @param text            what it says of a text only
     * @param accuracyVersion version that the accuracy belongs to
     * @param generation      history that the version counts in
     * @param initialized     whether there is a parameter set yet
     */
    public record VersionReply(
            int code,
            long version,
            @Nullable Double accuracy,
            @Nullable Double heldOutLoss,
            @Nullable TextFigures text,
            @Nullable Long accuracyVersion,
            String generation,
            boolean initialized) {

        /** Returns the score of the newest evaluation; empty before the first, and if its figures are incomplete. */
        public Optional<ScoredVersion> scored() {
            if (accuracyVersion == null) {
                return Optional.empty();
            }
            return HeldOutScore.of(accuracy, heldOutLoss, text != null)
                    .map(score -> new ScoredVersion(new ParameterVersion(generation, accuracyVersion), score));
        }
    }

    /**
     * States the outcome of a gradient that the server accepted.
     *
     * @param code      200 or 202
     * @param outcome   {@code applied}, {@code buffered} or {@code duplicate}
     * @param version   version after the gradient was applied, or the current one while it waits for its step
     * @param staleness steps between the gradient's base version and the version it was applied to
     * @param awaitNext whether the worker must pull and wait before it pushes again: for the next version in
     *     synchronous training, for slower workers in stale synchronous parallel training, or because the response has
     *     no parameters
     * @param first     the outcome of the first push with this sequence number, if this one is a duplicate
     */
    public record PushReply(
            int code,
            String outcome,
            long version,
            long staleness,
            boolean awaitNext,
            @Nullable String first) {}

    /**
     * Lists gradients that are staged here and wait for the lead's decision.
     *
     * @param staged the gradients
     */
    public record StagedGradientsReply(int code, List<Staged> staged) {

        /**
         * A staged gradient.
         *
         * @param worker   id of its worker
         * @param sequence its number
         */
        public record Staged(String worker, long sequence) {}
    }

    /**
     * Asks the server to roll back to a checkpoint of its run.
     *
     * @param checkpoint the checkpoint's number
     */
    public record RollbackRequest(@Nullable Long checkpoint) {}

    /**
     * Confirms that the server rolled back to a checkpoint.
     *
     * @param generation history that begins with the checkpoint's parameters
     * @param version    version under which they are served
     * @param checkpoint the checkpoint's number
     */
    public record RollbackReply(int code, String generation, long version, long checkpoint) {}
}
