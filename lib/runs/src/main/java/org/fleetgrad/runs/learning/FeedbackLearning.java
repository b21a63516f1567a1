package org.fleetgrad.runs.learning;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.settings.RunSettings;
import org.fleetgrad.runs.shards.PreparedDataset;
import org.fleetgrad.runs.shards.ShardHost;

/** Whether and how a run learns from feedback. */
public final class FeedbackLearning {

    private FeedbackLearning() {}

    /** Refuses a run whose workers could not read what is collected. */
    public static void require(RunSettings settings) throws RunFailedException {
        if (settings.serving().isLearning() && settings.store().isPresent()) {
            throw RunFailedException.input(
                    "--learn-from-feedback trains on shards of this machine; --store has workers fetch theirs from a bucket");
        }
    }

    /** Refuses a dataset of anything but images. */
    public static void require(RunSettings settings, PreparedDataset dataset) throws RunFailedException {
        if (settings.serving().isLearning() && !(dataset.schema() instanceof ImageSchema)) {
            throw RunFailedException.input("--learn-from-feedback learns from images with classes; %s has %s"
                    .formatted(dataset.name(), dataset.schema().task()));
        }
    }

    /** Returns the settings of the inference API; empty if the run learns nothing from feedback. */
    public static Map<String, String> environment(RunSettings settings, PreparedDataset dataset) {
        return settings.serving().isLearning() ? folder(dataset).environment(dataset.train()) : Map.of();
    }

    /** Returns what puts the feedback to work; empty if the run learns nothing from it. */
    public static Optional<FeedbackWork> work(
            RunSettings settings,
            PreparedDataset dataset,
            ShardHost shards,
            Services services,
            Consumer<String> teller) {
        return settings.serving().isLearning()
                ? Optional.of(FeedbackWork.of(folder(dataset), dataset.schema(), shards, services, teller))
                : Optional.empty();
    }

    private static FeedbackFolder folder(PreparedDataset dataset) {
        Path shards =
                dataset.shards().test().toAbsolutePath().resolveSibling(".").normalize();
        return FeedbackFolder.of(shards);
    }
}
