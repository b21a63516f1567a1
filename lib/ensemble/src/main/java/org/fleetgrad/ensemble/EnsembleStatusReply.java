package org.fleetgrad.ensemble;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of an ensemble.
 *
 * @param code    200
 * @param state   {@code serving}, or {@code waiting} while there are no members
 * @param detail  what is wrong with the list of workers; null if nothing is
 * @param members the members in use
 */
record EnsembleStatusReply(int code, String state, @Nullable String detail, List<Listed> members) {

    /** A member in use. */
    record Listed(String worker, String address) {}
}
