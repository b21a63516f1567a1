package org.fleetgrad.runs.watch;

import org.fleetgrad.protocol.messages.RunMessages.StatusReply;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.output.RunOutput;

/** Says when the disk of a parameter server takes nothing, and when it does again. Confined to one thread. */
final class ServerDisk {

    private final RunOutput output;
    private boolean isFailing;

    ServerDisk(RunOutput output) {
        this.output = output;
    }

    /**
     * Looks at the newest status.
     *
     * @throws RunFailedException if not even the first parameter set can be written: there is nothing to lose, and nobody to wait for
     */
    void look(StatusReply status) throws RunFailedException {
        String failure = status.writeFailure();
        if (failure != null && !status.initialized()) {
            throw RunFailedException.remote("the run cannot begin, since ps-service cannot write: " + failure);
        }
        if (failure != null && !isFailing) {
            output.tell("ps-service cannot write: " + failure);
        } else if (failure == null && isFailing) {
            output.tell("ps-service writes again");
        }
        isFailing = failure != null;
    }
}
