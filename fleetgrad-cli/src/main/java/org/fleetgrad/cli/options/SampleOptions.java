package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The seed of a run, and how many digits it generates. */
@HelpGroup(Topic.DATA)
final class SampleOptions {

    private static final int FEWEST = 10;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @HelpGroup(Topic.TRAINING)
    @Option(
            names = "--seed",
            defaultValue = "1",
            description =
                    "Seed of the initial parameters, of the order of samples and of the generated digits (default:"
                            + " ${DEFAULT-VALUE})")
    private int seed;

    @Option(
            names = "--train-samples",
            defaultValue = "20000",
            description = "Number of generated training digits (default: ${DEFAULT-VALUE})")
    private int trainSamples;

    @Option(
            names = "--test-samples",
            defaultValue = "4000",
            description = "Number of generated test digits (default: ${DEFAULT-VALUE})")
    private int testSamples;

    int seed() {
        require(command, seed >= 0, "--seed must be 0 or more; it is " + seed);
        return seed;
    }

    int train() {
        require(command, trainSamples >= FEWEST, "--train-samples must be 10 or more; it is " + trainSamples);
        return trainSamples;
    }

    int test() {
        require(command, testSamples >= FEWEST, "--test-samples must be 10 or more; it is " + testSamples);
        return testSamples;
    }
}
