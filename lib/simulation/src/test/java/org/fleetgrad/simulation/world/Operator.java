package org.fleetgrad.simulation.world;

import java.io.IOException;
import java.util.List;
import java.util.function.Supplier;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.RunMessages.HistoryReply;
import org.fleetgrad.simulation.kernel.Kernel;

/** Somebody who rolls a run back to one of its checkpoints. */
record Operator(Kernel kernel, Supplier<ParameterServers> clients) {

    /** Rolls back, if there is a checkpoint. A server that is away is left alone: it may have done it, or not. */
    void rollBack() {
        kernel.start("operator", () -> {
            PsClient lead = clients.get().lead();
            try {
                List<HistoryReply.Checkpoint> all = lead.history().checkpoints();
                if (!all.isEmpty()) {
                    int index = kernel.random().nextInt(all.size());
                    Object unused = lead.rollback(all.get(index).number());
                }
            } catch (IOException away) {
                // Nobody tries again.
            }
        });
    }
}
