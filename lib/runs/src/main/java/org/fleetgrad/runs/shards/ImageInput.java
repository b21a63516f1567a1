package org.fleetgrad.runs.shards;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.datasets.image.NetworkInput;
import org.fleetgrad.datasets.shard.ShardManifest;
import org.fleetgrad.networks.NetworkName;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.runs.settings.StartingPoint;

/** The images that a run's network takes, before its dataset is read. */
final class ImageInput {

    private ImageInput() {}

    /**
     * Returns what the network takes. A run that goes on from another's state takes the images of that run, whose shards lie in its folder;
     * of checkpoints alone they are not known.
     *
     * @param network what the options name, or the model that the run begins with
     */
    static Optional<NetworkInput> of(StartingPoint start, Optional<NetworkName> network) {
        Optional<NetworkInput> earlier = EarlierShards.manifest(start).flatMap(ImageInput::ofShards);
        if (earlier.isPresent() || (network.isEmpty() && start instanceof StartingPoint.State)) {
            return earlier;
        }
        NetworkName name = network.orElseGet(() -> NetworkName.parse(Networks.DEFAULT_FOR_IMAGES));
        if (!(Networks.usualTask(name) instanceof ImageClassification usual)) {
            return Optional.empty();
        }
        boolean isStated = name.argument(NetworkName.INPUT).isPresent();
        return Optional.of(new NetworkInput(name.base(), isStated ? name.input() : usual.image(), isStated));
    }

    private static Optional<NetworkInput> ofShards(Path manifest) {
        try {
            Task task = ShardManifest.read(manifest).schema().task();
            return task instanceof ImageClassification images
                    ? Optional.of(new NetworkInput("the run to resume", images.image(), true))
                    : Optional.empty();
        } catch (IOException unreadable) {
            // The run's checkpoints are what it resumes from; its shards are written anew.
            return Optional.empty();
        }
    }
}
