package org.fleetgrad.worker.training;

import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How the worker introduces itself to the server.
 *
 * @param wanted      the requested id, if any
 * @param description what it is, for people
 * @param device      what it computes on
 * @param deadline    when it will be killed, epoch milliseconds
 * @param activation  the platform's id of the activation that it is, if it is one
 * @param address     where it answers predictions, if it does
 */
record WorkerIdentity(
        Optional<String> wanted,
        String description,
        String device,
        OptionalLong deadline,
        Optional<String> activation,
        Optional<URI> address) {

    /** A worker that is not a platform's activation. */
    WorkerIdentity(
            Optional<String> wanted, String description, String device, OptionalLong deadline, Optional<URI> address) {
        this(wanted, description, device, deadline, Optional.empty(), address);
    }
}
