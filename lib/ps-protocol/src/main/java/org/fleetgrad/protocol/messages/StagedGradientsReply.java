package org.fleetgrad.protocol.messages;

import java.util.List;

/**
 * Lists gradients that are staged here and wait for the lead's decision.
 *
 * @param code   200
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
