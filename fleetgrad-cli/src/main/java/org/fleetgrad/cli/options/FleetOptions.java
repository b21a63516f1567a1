package org.fleetgrad.cli.options;

import static org.fleetgrad.cli.options.OptionCheck.require;

import java.util.Optional;
import org.fleetgrad.cli.elastic.ElasticSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How a run's workers come and go, and where their shards lie. */
public final class FleetOptions {

    private static final double SHARE = 0.5;

    @Spec(Target.MIXEE)
    private @Nullable CommandSpec command;

    @Option(
            names = "--elastic",
            description =
                    "Begin with one worker, add one while each pays in samples per second, up to --workers, and drop"
                            + " one that does not")
    private boolean isElastic;

    @Option(
            names = "--elastic-share",
            paramLabel = "SHARE",
            description =
                    "With --elastic: an added worker pays where it brings at least this share of what one of those"
                            + " before it brings on average (default: " + SHARE + ")")
    private @Nullable Double share;

    @Option(
            names = "--store",
            paramLabel = "s3://BUCKET/PREFIX",
            description =
                    "Put the shards into a bucket, where workers fetch them by presigned URLs, for as long as the run"
                            + " takes; wants S3_ENDPOINT, which workers must reach as well, S3_ACCESS_KEY and S3_SECRET_KEY")
    private @Nullable String store;

    /** Returns how the number of workers changes; nothing where it is fixed. */
    Optional<ElasticSettings> elastic(int workers) {
        require(command, isElastic || share == null, "--elastic-share is an option of --elastic");
        double wanted = share == null ? SHARE : share;
        require(command, wanted > 0 && wanted <= 1, "--elastic-share must be above 0 and up to 1; it is " + wanted);
        require(
                command,
                !isElastic || workers > 1,
                "--elastic wants --workers above 1: it is how many there may be; it is " + workers);
        return isElastic ? Optional.of(new ElasticSettings(workers, wanted)) : Optional.empty();
    }

    Optional<String> store() {
        return Optional.ofNullable(store);
    }
}
