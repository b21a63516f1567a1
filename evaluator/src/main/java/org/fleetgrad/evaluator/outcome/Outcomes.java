package org.fleetgrad.evaluator.outcome;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.protocol.messages.BinaryFigures;
import org.fleetgrad.protocol.messages.EvaluationDetails;
import org.fleetgrad.protocol.messages.LabelFigures;
import org.fleetgrad.protocol.messages.RegressionFigures;
import org.fleetgrad.serving.evaluation.Evaluation;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/** The evaluations so far, and the best of them. Confined to one thread. */
public final class Outcomes {

    private final List<EvaluationOutcome> all = new ArrayList<>();
    private @Nullable EvaluationOutcome best;

    /**
     * Adds an evaluation; returns whether it is the best so far. Of equal ones the first stays the best. Only of the best the details
     * are kept: there may be thousands of versions.
     */
    public boolean add(EvaluationOutcome outcome) {
        all.add(new EvaluationOutcome(outcome.name(), outcome.evaluation().withoutDetails()));
        if (best == null || outcome.isBetterThan(best)) {
            best = outcome;
            return true;
        }
        return false;
    }

    /** Returns all, in their order, without their details. */
    public List<EvaluationOutcome> all() {
        return List.copyOf(all);
    }

    /** Returns the best; empty before the first. */
    public Optional<EvaluationOutcome> best() {
        return Optional.ofNullable(best);
    }

    /**
     * The evaluation of a version.
     *
     * @param name       where the version is from; empty for a server's
     * @param evaluation the result
     */
    public record EvaluationOutcome(String name, Evaluation evaluation) {

        double seconds() {
            return evaluation.duration().toMillis() / 1000.0;
        }

        /** Returns whether this is better than another. */
        public boolean isBetterThan(EvaluationOutcome other) {
            return evaluation.score().isBetterThan(other.evaluation().score());
        }
    }

    /**
     * Writes the result as one JSON object, in one line: the number of evaluated versions, the best with its details, and all of them.
     */
    public String json() {
        Row top = best == null ? null : Row.of(best);
        Summary summary = new Summary(all.size(), top, all.stream().map(Row::of).toList());
        return JsonMapper.builder()
                .changeDefaultPropertyInclusion(absent -> absent.withValueInclusion(JsonInclude.Include.NON_NULL))
                .build()
                .writeValueAsString(summary);
    }

    private record Summary(int evaluated, @Nullable Row best, List<Row> evaluations) {}

    /**
     * One evaluation.
     *
     * @param name       source of the version; absent for a server's
     * @param generation of the version
     * @param version    the version
     * @param top1       share of the samples whose label is the most probable class; absent where numbers or labels are predicted
     * @param top5       share of the samples whose label is among the five most probable classes; absent for a network of five
     *     outputs or fewer
     * @param loss       mean cross-entropy
     * @param perplexity exp(loss) of a text; absent for images
     * @param bitsPerCharacter loss of a text in bits a character; absent for images, and if the characters are not known
     * @param regression what the evaluation says of predicted numbers only
     * @param binary     what the evaluation says of the two classes of a table only
     * @param labels     what the evaluation says of several labels only
     * @param samples    held-out samples
     * @param seconds    its duration
     * @param details    what is right and what is wrong; of the best one only
     */
    private record Row(
            @Nullable String name,
            String generation,
            long version,
            @Nullable Double top1,
            @Nullable Double top5,
            double loss,
            @Nullable Double perplexity,
            @Nullable Double bitsPerCharacter,
            @Nullable RegressionFigures regression,
            @Nullable BinaryFigures binary,
            @Nullable LabelFigures labels,
            long samples,
            double seconds,
            @Nullable EvaluationDetails details) {

        static Row of(EvaluationOutcome outcome) {
            Evaluation measured = outcome.evaluation();
            return new Row(
                    outcome.name().isEmpty() ? null : outcome.name(),
                    measured.version().generation(),
                    measured.version().version(),
                    measured.accuracy().orElse(null),
                    measured.accuracyTop5().orElse(null),
                    measured.loss(),
                    measured.perplexity().orElse(null),
                    measured.bitsPerCharacter().orElse(null),
                    measured.regression().orElse(null),
                    measured.binary().orElse(null),
                    measured.labels().orElse(null),
                    measured.samples(),
                    outcome.seconds(),
                    measured.details().equals(EvaluationDetails.NONE) ? null : measured.details());
        }
    }
}
