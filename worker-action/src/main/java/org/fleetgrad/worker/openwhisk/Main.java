package org.fleetgrad.worker.openwhisk;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import org.jspecify.annotations.Nullable;

/**
 * The entry point for OpenWhisk's Java kind: {@code wsk action create train worker-action-openwhisk.jar --main
 * org.fleetgrad.worker.openwhisk.Main}. The same activations as those of the container {@code fleetgrad/worker}.
 *
 * <p>The runtime calls it for one activation at a time, and keeps the class loaded between them. Not thread-safe.
 */
public final class Main {

    /** Created by the first activation, so that {@code /init} only loads this class. */
    private static @Nullable JavaAction action;

    private Main() {}

    /**
     * Runs one activation.
     *
     * @param arguments its parameters
     * @return the counts by name, or {@code error} and {@code code}
     */
    public static JsonObject main(JsonObject arguments) {
        return run(arguments);
    }

    /** Refuses an array, which is passed if the previous action of a sequence returned an array. */
    public static JsonObject main(JsonArray arguments) {
        return run(arguments);
    }

    private static JsonObject run(JsonElement arguments) {
        JavaAction known = action;
        if (known == null) {
            known = JavaAction.ofThisProcess();
            action = known;
        }
        return known.run(arguments);
    }
}
