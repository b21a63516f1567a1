package org.fleetgrad.cli.invoker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The activations of a run that OpenWhisk accepted and that have not ended yet. Thread-safe. */
public final class UnderWay {

    private final Map<String, String> ids = new ConcurrentHashMap<>();

    /** Notes that an activation was accepted. */
    void began(String worker, String activation) {
        ids.put(worker, activation);
    }

    /** Notes that an activation has ended. One that was given up may still run. */
    void over(String worker) {
        ids.remove(worker);
    }

    /** Returns OpenWhisk's ids of them. */
    public List<String> activations() {
        return List.copyOf(ids.values());
    }
}
