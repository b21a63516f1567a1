package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.Question;
import org.fleetgrad.networks.Question.Labels;
import org.fleetgrad.networks.Question.Loss;
import org.fleetgrad.networks.Question.OneClass;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.reports.RunTarget;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;

class FittingTargetTest {

    private static void require(RunTarget target, Question question) throws RunFailedException {
        FittingTarget.require(Optional.of(target), new TableTask(3, List.of(), question));
    }

    @Test
    void shouldRefuseAnAccuracyOfNumbers() {
        assertThatThrownBy(() -> require(new RunTarget.Accuracy(0.9), new Regression(Loss.SQUARED)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("--target-accuracy 0.9: the target column is a number, and predicted numbers have no"
                        + " accuracy; there are --target-r2, such as 0.9, and --target-loss");
    }

    @Test
    void shouldRefuseR2OfClasses() {
        assertThatThrownBy(() -> require(new RunTarget.R2(0.9), new OneClass(3)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage("--target-r2 0.9: R2 is a figure of predicted numbers, and this dataset has 3 classes;"
                        + " there are --target-accuracy and --target-loss");
    }

    @Test
    void shouldRefuseAnAccuracyOfLabelsAndAMicroF1OfOthers() {
        assertThatThrownBy(() -> require(new RunTarget.Accuracy(0.9), new Labels(3)))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--target-accuracy 0.9: the dataset has 3 labels, each of them right or wrong, and no accuracy;"
                                + " there are --target-micro-f1, such as 0.9, and --target-loss");
        assertThatThrownBy(() -> require(new RunTarget.R2(0.9), new Labels(3)))
                .hasMessage("--target-r2 0.9: R2 is a figure of predicted numbers, and this dataset has 3 labels;"
                        + " there are --target-micro-f1 and --target-loss");
        assertThatThrownBy(() -> require(new RunTarget.MicroF1(0.9), new OneClass(2)))
                .hasMessage(
                        "--target-micro-f1 0.9: micro F1 is a figure of several labels, and this dataset has 2 classes;"
                                + " there are --target-accuracy and --target-loss");
        assertThatThrownBy(() -> require(new RunTarget.MicroF1(0.9), new Regression(Loss.SQUARED)))
                .hasMessageEndingWith("this dataset has a number; there are --target-r2 and --target-loss");
    }

    @Test
    void shouldAllowTheFiguresThatThereAre() {
        assertThatCode(() -> {
                    require(new RunTarget.R2(0.9), new Regression(Loss.HUBER));
                    require(new RunTarget.Loss(0.1), new Regression(Loss.HUBER));
                    require(new RunTarget.None(), new Regression(Loss.HUBER));
                    require(new RunTarget.Loss(0.1), new OneClass(2));
                    require(new RunTarget.Loss(0.1), new Labels(2));
                    require(new RunTarget.MicroF1(0.1), new Labels(2));
                    require(new RunTarget.Accuracy(0.9), new OneClass(2));
                    FittingTarget.require(Optional.empty(), new TableTask(3, List.of(), new OneClass(2)));
                })
                .doesNotThrowAnyException();
    }
}
