package org.fleetgrad.cli.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.fleetgrad.cli.elastic.Scaling;
import org.jspecify.annotations.Nullable;

/**
 * What {@code report.json} holds.
 *
 * @param result         what the run came to
 * @param settings       what was asked for
 * @param serverRestarts how often the parameter server was started again
 * @param prices         what the user pays
 * @param baseline       the same training on one machine; absent where nobody measured it
 * @param fleet          how many workers there were, and since when; absent where it was never another number
 * @param curve          looks at the run
 * @param activations    each of them
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Report(
        RunResult result,
        Map<String, Object> settings,
        int serverRestarts,
        Prices prices,
        @Nullable Baseline baseline,
        @Nullable List<Scaling.Step> fleet,
        List<CurvePoint> curve,
        List<ActivationRow> activations) {}
