package org.fleetgrad.benchmarks.training;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.fleetgrad.libtorch.Network;

/** What a worker answers about some images: [images, classes], flat. */
public record WorkerAnswers(float[] logits, int classes) {

    public WorkerAnswers {
        if (classes < 1 || logits.length % classes != 0) {
            throw new IllegalArgumentException(
                    "%d logits are not those of images with %d classes each".formatted(logits.length, classes));
        }
    }

    public static WorkerAnswers of(Network network, HeldOut images) {
        return new WorkerAnswers(
                network.logits(images.images(), images.count()), network.spec().classes());
    }

    public int images() {
        return logits.length / classes;
    }

    /** Returns the class of an image: that of its largest logit, of equal ones the first. */
    public int classOf(int image) {
        int best = image * classes;
        for (int i = best + 1; i < (image + 1) * classes; i++) {
            if (logits[i] > logits[best]) {
                best = i;
            }
        }
        return best - image * classes;
    }

    /** Returns whether each logit has the same bits as the other's. */
    public boolean isSame(WorkerAnswers other) {
        return Arrays.equals(logits, other.logits);
    }

    /** Returns the share of the images that are of another class in the other's answers. */
    public double disagreement(WorkerAnswers other) {
        if (images() != other.images()) {
            throw new IllegalArgumentException("answers about %d images cannot be compared with answers about %d"
                    .formatted(images(), other.images()));
        }
        int different = images()
                - right(IntStream.range(0, images()).map(other::classOf).toArray());
        return (double) different / images();
    }

    /** Returns the share of the images whose class is their label. */
    public double accuracy(int[] labels) {
        return (double) right(labels) / images();
    }

    int right(int[] labels) {
        return (int) IntStream.range(0, images())
                .filter(image -> classOf(image) == labels[image])
                .count();
    }
}
