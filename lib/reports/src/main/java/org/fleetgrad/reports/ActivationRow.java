package org.fleetgrad.reports;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One activation of a run.
 *
 * @param invoker    name of the worker in the run
 * @param activation OpenWhisk's id of it; absent elsewhere
 * @param worker     the id under which it registered with the parameter server
 * @param started    seconds since the run's first activation could begin
 * @param duration   seconds; of a cold activation with its initialization
 * @param unrecorded seconds of an earlier try, whose container died and of which the platform has no record; estimated, and
 *     in no sum of recorded seconds; absent if there was none
 * @param cold       whether its container was created for it
 * @param end        {@link #ANSWERED}, {@link #KILLED} or {@link #FAILED}
 * @param why        why it did not respond
 * @param gbSeconds  memory times duration; absent if workers have no memory limit
 * @param cost       at the prices given; absent without them
 * @param applied    gradients that the server applied: by the response, or as the server last counted them; absent if
 *     unknown
 * @param stale      gradients that the server dropped as too old; absent if unknown
 * @param lost       gradients that it computed and the server never received: at most the one in progress when it was killed
 * @param figures    the remaining fields of its response
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ActivationRow(
        String invoker,
        @Nullable String activation,
        String worker,
        double started,
        double duration,
        @Nullable Double unrecorded,
        boolean cold,
        String end,
        @Nullable String why,
        @Nullable Double gbSeconds,
        @Nullable Double cost,
        @Nullable Long applied,
        @Nullable Long stale,
        long lost,
        Map<String, Object> figures) {

    public static final String ANSWERED = "answered";
    public static final String KILLED = "killed";
    public static final String FAILED = "failed";

    @Override
    @JsonAnyGetter
    public Map<String, Object> figures() {
        return figures;
    }
}
