package org.fleetgrad.serving.batching;

import java.time.Duration;

/**
 * The limits of batches, and of the requests that wait for one.
 *
 * @param images      most images in a batch; a request of more is a batch of its own
 * @param delay       longest time that a request waits for others beside it; zero takes those that wait already
 * @param queueImages most images that wait; a request of more is taken only when nothing waits
 * @param queueBytes  most memory of the images that wait
 */
public record BatchLimits(int images, Duration delay, int queueImages, long queueBytes) {

    public BatchLimits {
        if (images < 1 || delay.isNegative() || queueImages < 1 || queueBytes < 1) {
            throw new IllegalArgumentException(
                    "a batch takes 1 image or more, a delay of 0 or more, and a queue of 1 image and 1 byte or more; given were %d images, %s, %d images and %d bytes"
                            .formatted(images, delay, queueImages, queueBytes));
        }
    }
}
