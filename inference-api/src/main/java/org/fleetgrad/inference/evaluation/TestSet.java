package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.inference.model.ImageShape;
import org.fleetgrad.inference.model.ModelDescription;

/**
 * The held-out samples.
 *
 * @param samples     images and labels
 * @param description how the training's pixels were scaled, and what the labels mean
 */
public record TestSet(Samples samples, ModelDescription description) {

    private static final int PATIENCE_MS =
            Math.toIntExact(Duration.ofSeconds(30).toMillis());

    /**
     * Reads a shard.
     *
     * @param location a path, or an http(s) URL
     * @throws IOException when it cannot be read, or is no shard
     */
    public static TestSet open(String location) throws IOException {
        Shard shard = location.matches("(?i)https?://.*") ? fetch(location) : ShardArchive.read(Path.of(location));
        return new TestSet(
                shard.samples(),
                new ModelDescription(
                        shard.description().normalization(), shard.description().classes()));
    }

    private static Shard fetch(String location) throws IOException {
        URLConnection connection = URI.create(location).toURL().openConnection();
        connection.setConnectTimeout(PATIENCE_MS);
        connection.setReadTimeout(PATIENCE_MS);
        try (InputStream in = connection.getInputStream()) {
            return ShardArchive.read(in, ShardLimits.DEFAULT);
        }
    }

    /**
     * Checks that the samples are what the network takes.
     *
     * @throws IllegalArgumentException when they have another shape, or other classes
     */
    public TestSet requireFor(ImageShape shape, int classes) {
        if (!samples.shape().equals(List.of(shape.channels(), shape.height(), shape.width()))
                || description.classes().size() != classes) {
            throw new IllegalArgumentException(
                    "the test shard has images of %s in %d classes, the network takes %s in %d classes"
                            .formatted(samples.shape(), description.classes().size(), shape, classes));
        }
        return this;
    }
}
