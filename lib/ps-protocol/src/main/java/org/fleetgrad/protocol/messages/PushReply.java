package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * Says what became of a gradient that was taken in.
 *
 * @param code      200 or 202
 * @param outcome   {@code applied}, {@code buffered} or {@code duplicate}
 * @param version   version after the gradient was applied, or the current one while it waits for its step
 * @param staleness steps between the gradient's base version and the version it was applied to
 * @param awaitNext whether the worker is to wait on a pull before it pushes again: for the next version in synchronous
 *     training, for slower workers in stale synchronous parallel training, or because the answer has no parameters
 * @param first     what the first push of this sequence number was answered, where this one is a duplicate
 */
public record PushReply(
        int code,
        String outcome,
        long version,
        long staleness,
        boolean awaitNext,
        @Nullable String first) {}
