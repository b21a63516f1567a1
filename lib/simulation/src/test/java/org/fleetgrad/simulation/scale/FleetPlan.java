package org.fleetgrad.simulation.scale;

import java.time.Duration;
import java.util.Map;
import org.fleetgrad.optim.TrainingMode;

/**
 * A training whose speed is asked for.
 *
 * @param workers    that train, each on a machine of its own
 * @param servers    that have a partition each, each on a machine of its own
 * @param mode       when gradients become a step
 * @param encoding   of gradients and of parameters
 * @param parameters of the network
 * @param step       how long a batch takes a worker, without its exchange
 * @param spread     by which share a batch takes less or longer, at most
 * @param exchange   what a worker does for a push beside that
 * @param bitsASecond of each machine's link, in each direction
 * @param latency    of a message
 * @param costs      the work of a server
 */
record FleetPlan(
        int workers,
        int servers,
        TrainingMode mode,
        String encoding,
        long parameters,
        Duration step,
        double spread,
        Duration exchange,
        double bitsASecond,
        Duration latency,
        ServerCosts costs) {

    FleetPlan of(int otherWorkers) {
        return new FleetPlan(
                otherWorkers, servers, mode, encoding, parameters, step, spread, exchange, bitsASecond, latency, costs);
    }

    /** Returns the settings of each server; the journal's costs are among the measured ones. */
    Map<String, String> settings() {
        return Map.of(
                "ps.mode",
                mode.toString(),
                "ps.optimizer",
                "sgd:momentum=0",
                "ps.learning-rate",
                "0.001",
                "ps.lease",
                "10h",
                "ps.durability.mode",
                "checkpoint",
                "ps.durability.checkpoint-interval",
                "100h");
    }
}
