package org.fleetgrad.runs.invoker;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The activations in flight: OpenWhisk accepted them, and they have not ended yet. Thread-safe. */
public final class UnderWay {

    private final Map<String, String> ids = new ConcurrentHashMap<>();

    /** Records that an activation was accepted. */
    void began(String worker, String activation) {
        ids.put(worker, activation);
    }

    /** Records that an activation has ended. An abandoned one may still run. */
    void over(String worker) {
        ids.remove(worker);
    }

    /** Returns their OpenWhisk ids. */
    public List<String> activations() {
        return List.copyOf(ids.values());
    }
}
