package org.fleetgrad.simulation.world;

import java.time.Duration;
import java.util.Map;
import java.util.Random;

/** What a world is like: drawn from its seed. */
record WorldPlan(ServersPlan servers, WorkersPlan workers, DataPlan data, FaultsPlan faults) {

    static final Duration LEASE = Duration.ofSeconds(10);

    static WorldPlan draw(long seed) {
        Random random = Draw.random(seed);
        ServersPlan servers = ServersPlan.draw(random);
        WorkersPlan workers = WorkersPlan.draw(random, servers.mode().isSynchronous());
        DataPlan data = DataPlan.draw(random);
        return new WorldPlan(
                servers,
                workers,
                data,
                FaultsPlan.draw(random, workers.activation().isPresent()));
    }

    /** Returns the settings of each server. */
    Map<String, String> settings() {
        Map<String, String> settings = servers.settings();
        settings.putAll(workers.settings());
        return settings;
    }
}
