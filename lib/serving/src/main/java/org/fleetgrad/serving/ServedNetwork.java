package org.fleetgrad.serving;

import java.util.Arrays;
import java.util.List;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.LanguageModel;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;

/**
 * A network that a parameter set names.
 *
 * @param name        complete, such as {@code lenet5?classes=10&input=1x28x28}: it alone fixes the network
 * @param task        what it takes and answers; a dataset may have fewer classes
 * @param sampleBytes memory that a forward pass takes for each sample, in bytes
 */
public record ServedNetwork(String name, Task task, long sampleBytes) {

    /** Returns the shape of its samples: of images, of texts as rows of tokens, of rows of a table, or of series. */
    public ImageShape shape() {
        return task instanceof TextClassification || task instanceof RowTask
                ? new ImageShape(1, 1, task.inputSize())
                : images();
    }

    /** Returns a sample that it can compute, whatever it means. */
    float[] anySample() {
        float[] sample = new float[inputSize()];
        if (task instanceof TextClassification texts && texts.padding() == 0) {
            // No text begins with padding.
            Arrays.fill(sample, 1);
        }
        return sample;
    }

    /**
     * Returns the shape of its images.
     *
     * @throws InvalidImagesException if it takes no images
     */
    public ImageShape images() {
        if (task instanceof ImageClassification images) {
            List<Integer> shape = images.image();
            return new ImageShape(shape.get(0), shape.get(1), shape.get(2));
        }
        throw new InvalidImagesException(
                Rule.MALFORMED, "the network %s takes %s, not images".formatted(name, task.samples()));
    }

    /** Returns what it takes, as words: {@code texts of 64 tokens}. */
    public String samples() {
        return task.samples();
    }

    /** Returns whether it answers with the next token, so that completions accept it. */
    public boolean continuesTexts() {
        return task instanceof LanguageModel;
    }

    /** Returns the number of logits of one prediction. */
    public int outputs() {
        return task.classes();
    }

    /** Returns the shape of a sample. */
    public List<Integer> inputShape() {
        return task.input();
    }

    /** Returns the shape of a sample's logits. */
    public List<Integer> outputShape() {
        return task.output();
    }

    /** Returns the number of values of a sample. */
    public int inputSize() {
        return task.inputSize();
    }
}
