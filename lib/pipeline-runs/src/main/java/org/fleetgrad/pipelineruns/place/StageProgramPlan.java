package org.fleetgrad.pipelineruns.place;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.fleetgrad.runs.process.Malloc;

/**
 * One program of stages that is to be started.
 *
 * @param stages    in it
 * @param driver    host and port of the driver
 * @param token     the run's secret
 * @param heapBytes of its JVM
 */
public record StageProgramPlan(List<Integer> stages, String driver, String token, long heapBytes) {

    /** The environment variable with the run's secret. */
    private static final String TOKEN = "FLEETGRAD_STAGE_TOKEN";

    public StageProgramPlan {
        stages = List.copyOf(stages);
    }

    /** Returns the arguments of the program. */
    List<String> arguments(String listen) {
        return List.of(
                "stage",
                "--driver",
                driver,
                "--stages",
                String.join(",", stages.stream().map(String::valueOf).toList()),
                "--listen",
                listen);
    }

    /** Returns the environment of the program: the secret, and settings of libtorch's memory allocation. */
    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>(Malloc.OF_STAGE);
        environment.put(TOKEN, token);
        return environment;
    }

    /** Returns the name of the program in messages and of its log. */
    String name() {
        return stages.size() == 1 ? "stage-" + stages.get(0) : "stages";
    }
}
