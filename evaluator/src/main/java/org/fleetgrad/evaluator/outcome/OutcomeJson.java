package org.fleetgrad.evaluator.outcome;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import org.fleetgrad.evaluator.outcome.Outcomes.EvaluationOutcome;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The result as one JSON object.
 *
 * @param evaluated   number of evaluated versions
 * @param best        the best of them
 * @param evaluations all of them, in their order
 */
public record OutcomeJson(int evaluated, @Nullable Row best, List<Row> evaluations) {

    public OutcomeJson {
        evaluations = List.copyOf(evaluations);
    }

    /**
     * One evaluation.
     *
     * @param name       source of the version; absent for a server's
     * @param generation of the version
     * @param version    the version
     * @param top1       share of the samples whose label is the most probable class
     * @param top5       share of the samples whose label is among the five most probable classes; absent for a network of five
     *     outputs or fewer
     * @param loss       mean cross-entropy
     * @param samples    held-out samples
     * @param seconds    its duration
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Row(
            @Nullable String name,
            String generation,
            long version,
            double top1,
            @Nullable Double top5,
            double loss,
            long samples,
            double seconds) {

        static Row of(EvaluationOutcome outcome) {
            Evaluation measured = outcome.evaluation();
            return new Row(
                    outcome.name().isEmpty() ? null : outcome.name(),
                    measured.version().generation(),
                    measured.version().version(),
                    measured.accuracy(),
                    measured.accuracyTop5().orElse(null),
                    measured.loss(),
                    measured.samples(),
                    outcome.seconds());
        }
    }

    /** Writes the object in one line. */
    public static String write(Outcomes outcomes) {
        List<Row> rows = outcomes.all().stream().map(Row::of).toList();
        Row best = outcomes.best().map(Row::of).orElse(null);
        return JsonMapper.builder().build().writeValueAsString(new OutcomeJson(rows.size(), best, rows));
    }
}
