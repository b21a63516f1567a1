package org.fleetgrad.inference.grpc;

import io.grpc.Metadata;
import io.grpc.Status;
import java.util.Locale;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.protocol.ProblemKind;

/**
 * A refusal as gRPC says it.
 *
 * @param status  has the rule and the numbers
 * @param headers such as {@code retry-after}, with the meaning of HTTP's
 */
record Refusal(Status status, Metadata headers) {

    /** It travels as a header, and clients take 8 KiB of them all. */
    private static final int LONGEST = 1_000;

    /** Headers that speak of an HTTP connection. */
    private static final String CONNECTION = "Connection";

    static Refusal of(RequestRefused refused) {
        Metadata headers = new Metadata();
        refused.headers().forEach((name, value) -> {
            if (!name.equals(CONNECTION)) {
                headers.put(
                        Metadata.Key.of(name.toLowerCase(Locale.ROOT), Metadata.ASCII_STRING_MARSHALLER),
                        Printable.text(value, LONGEST));
            }
        });
        return new Refusal(
                Status.fromCode(code(refused.kind())).withDescription(Printable.text(refused.detail(), LONGEST)),
                headers);
    }

    static Refusal of(Status.Code code, String detail) {
        return new Refusal(Status.fromCode(code).withDescription(detail), new Metadata());
    }

    private static Status.Code code(ProblemKind kind) {
        return switch (kind) {
            case UNAUTHENTICATED -> Status.Code.UNAUTHENTICATED;
            case FORBIDDEN -> Status.Code.PERMISSION_DENIED;
            case NOT_FOUND, VERSION_NOT_HELD -> Status.Code.NOT_FOUND;
            case BUSY, TOO_MANY_REQUESTS -> Status.Code.RESOURCE_EXHAUSTED;
            case NO_MODEL, RECOVERING -> Status.Code.UNAVAILABLE;
            case INTERNAL -> Status.Code.INTERNAL;
            // What remains is wrong with the request, and is wrong again when it is repeated.
            default -> Status.Code.INVALID_ARGUMENT;
        };
    }
}
