package org.fleetgrad.runs.shards;

import java.util.Optional;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.Task;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.RunFailedException;

/** A target must be a figure that evaluations of the dataset have, or the run would never reach it. */
final class FittingTarget {

    private FittingTarget() {}

    /**
     * Compares the user's target with what is predicted.
     *
     * @throws RunFailedException if no evaluation has such a figure
     */
    static void require(Optional<RunTarget> target, Task task) throws RunFailedException {
        boolean isNumber = task.question() instanceof Regression;
        if (isNumber && target.orElse(null) instanceof RunTarget.Accuracy accuracy) {
            throw RunFailedException.input(
                    "--target-accuracy %s: the target column is a number, and predicted numbers have no accuracy; there are --target-r2, such as 0.9, and --target-loss"
                            .formatted(accuracy.share()));
        }
        boolean isLabels = task.question() instanceof Labels;
        if (isLabels && target.orElse(null) instanceof RunTarget.Accuracy accuracy) {
            throw RunFailedException.input(
                    "--target-accuracy %s: the dataset has %s, each of them right or wrong, and no accuracy; there are --target-micro-f1, such as 0.9, and --target-loss"
                            .formatted(accuracy.share(), task.question()));
        }
        if (!isLabels && target.orElse(null) instanceof RunTarget.MicroF1 f1) {
            throw RunFailedException.input(
                    "--target-micro-f1 %s: micro F1 is a figure of several labels, and this dataset has %s; there are %s and --target-loss"
                            .formatted(f1.value(), task.question(), isNumber ? "--target-r2" : "--target-accuracy"));
        }
        if (!isNumber && target.orElse(null) instanceof RunTarget.R2 r2) {
            throw RunFailedException.input(
                    "--target-r2 %s: R2 is a figure of predicted numbers, and this dataset has %s; there are %s and --target-loss"
                            .formatted(
                                    r2.value(), task.question(), isLabels ? "--target-micro-f1" : "--target-accuracy"));
        }
    }
}
