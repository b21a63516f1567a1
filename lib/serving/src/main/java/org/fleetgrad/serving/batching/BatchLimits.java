package org.fleetgrad.serving.batching;

import java.time.Duration;

/**
 * The limits of batches, and of the queue.
 *
 * @param images      maximum images in a batch; a larger request is a batch of its own
 * @param delay       longest time that a request waits for others to join its batch; zero takes only those already queued
 * @param queueImages maximum images in the queue; a larger request is admitted only if the queue is empty
 * @param queueBytes  maximum memory of the images in the queue
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
