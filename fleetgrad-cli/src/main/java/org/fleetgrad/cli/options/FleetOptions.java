package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import org.fleetgrad.cli.help.HelpGroup;
import org.fleetgrad.cli.help.HelpGroup.Topic;
import org.fleetgrad.runs.elastic.ElasticSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How the number of a run's workers changes, and where they fetch their shards. */
@HelpGroup(Topic.WORKERS)
public final class FleetOptions {

    private static final double SHARE = 0.5;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--elastic",
            description = "Begin with one worker, and add workers up to --workers as long as each is worth keeping: see"
                    + " --elastic-share. Drop one that is not")
    private boolean isElastic;

    @Option(
            names = "--elastic-share",
            paramLabel = "SHARE",
            description =
                    "With --elastic: keep an added worker if it adds at least this fraction of the average worker's"
                            + " samples per second (default: " + SHARE + ")")
    private @Nullable Double share;

    @Option(
            names = "--store",
            paramLabel = "s3://BUCKET/PREFIX",
            description = "Upload the shards to a bucket until the run ends; workers fetch them by presigned URLs. Set"
                    + " S3_ENDPOINT, which workers must be able to reach, S3_ACCESS_KEY and S3_SECRET_KEY")
    private @Nullable String store;

    /** Returns how the number of workers changes; empty if it is fixed. */
    Optional<ElasticSettings> elastic(int workers) {
        require(command, isElastic || share == null, "--elastic-share is an option of --elastic");
        double wanted = share == null ? SHARE : share;
        require(command, wanted > 0 && wanted <= 1, "--elastic-share must be above 0 and up to 1; it is " + wanted);
        require(
                command,
                !isElastic || workers > 1,
                "--elastic needs --workers above 1, the largest number of workers; it is " + workers);
        return isElastic ? Optional.of(new ElasticSettings(workers, wanted)) : Optional.empty();
    }

    Optional<String> store() {
        return Optional.ofNullable(store);
    }
}
