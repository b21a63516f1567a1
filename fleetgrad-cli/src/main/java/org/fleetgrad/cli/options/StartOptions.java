package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.time.Duration;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.files.units.Durations;
import org.fleetgrad.runs.start.StartWatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The options of every command that starts programs and waits for them. */
@HelpGroup(Topic.OUTPUT)
final class StartOptions {

    /** A shorter timeout would take a pause of the machine for a stuck program. */
    private static final Duration SHORTEST = Duration.ofSeconds(10);

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--start-timeout",
            paramLabel = "DURATION",
            defaultValue = "3m",
            description = "Time without progress after which a starting program counts as stuck: its log does not grow,"
                    + " and it hardly uses a processor. A program that makes progress is waited for (default:"
                    + " ${DEFAULT-VALUE})")
    private Duration timeout = StartWatch.USUAL_TIMEOUT;

    @Mixin
    private final PlainOption plain = new PlainOption();

    boolean isPlain() {
        return plain.isPlain();
    }

    Duration timeout() {
        require(
                command,
                timeout.compareTo(SHORTEST) >= 0,
                "--start-timeout must be 10s or more; it is " + Durations.print(timeout));
        return timeout;
    }
}
