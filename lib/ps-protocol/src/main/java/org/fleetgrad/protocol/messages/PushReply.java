package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * States the outcome of a gradient that the server accepted.
 *
 * @param code      200 or 202
 * @param outcome   {@code applied}, {@code buffered} or {@code duplicate}
 * @param version   version after the gradient was applied, or the current one while it waits for its step
 * @param staleness steps between the gradient's base version and the version it was applied to
 * @param awaitNext whether the worker must pull and wait before it pushes again: for the next version in synchronous
 *     training, for slower workers in stale synchronous parallel training, or because the response has no parameters
 * @param first     the outcome of the first push with this sequence number, if this one is a duplicate
 */
public record PushReply(
        int code,
        String outcome,
        long version,
        long staleness,
        boolean awaitNext,
        @Nullable String first) {}
