package org.fleetgrad.serving.evaluation;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.ImageSchema;
import org.fleetgrad.datasets.LabelledTextSchema;
import org.fleetgrad.datasets.LabelledTexts;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.Schema;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.TableSamples;
import org.fleetgrad.datasets.TextSamples;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.messages.TextFigures;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ModelDescription;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.tables.StatedRows;
import org.jspecify.annotations.Nullable;

/**
 * The held-out samples.
 *
 * @param samples with their labels
 * @param schema  what they are
 */
public record TestSet(Samples samples, Schema schema) {

    /**
     * Makes a test set of a shard's samples.
     *
     * @throws IllegalArgumentException if the shard's description says that they are training samples
     */
    public static TestSet of(Shard shard) {
        DatasetDescription description = shard.description();
        if (description.split() == Split.TRAIN) {
            throw new IllegalArgumentException(
                    "the shard of %s has %d of the %d training samples, from %d on: an accuracy on them says nothing; name the test shard"
                            .formatted(
                                    description.name(),
                                    description.range().count(),
                                    description.range().total(),
                                    description.range().first()));
        }
        return new TestSet(shard.samples(), description.schema());
    }

    /** Returns whether a network takes such samples and has an output for each class. */
    public boolean fits(ServedNetwork network) {
        try {
            requireFor(network);
            return true;
        } catch (IllegalArgumentException unfit) {
            return false;
        }
    }

    /**
     * Checks that the samples fit a network, which may have more outputs than there are classes.
     *
     * @throws IllegalArgumentException if they have another shape, or more classes
     */
    public void requireFor(ServedNetwork network) {
        network.task().requireFit(network.name(), schema.task());
    }

    /**
     * Checks that the samples fit a version: its network, and what its metadata states.
     *
     * @throws IllegalArgumentException as for the network, or if the version was trained on other tokens
     *     or another table
     */
    public void requireFor(ServedNetwork network, TensorSet parameters) {
        requireFor(network);
        requireStated(parameters);
    }

    /** Returns the description of a model that states nothing of its own. */
    public ModelDescription description() {
        if (schema instanceof ImageSchema images) {
            return new ModelDescription(images.normalization(), images.classes());
        }
        if (schema instanceof RowSchema rows) {
            return ModelDescription.ofRows(rows);
        }
        List<String> classes = schema instanceof LabelledTextSchema texts ? texts.classes() : List.of();
        return new ModelDescription(ModelDescription.NONE.normalization(), classes, schema.textTokenizer());
    }

    /**
     * Returns what the samples say of a version's outputs.
     *
     * @throws IllegalArgumentException if the version's metadata are malformed
     */
    HeldOutTargets targets(TensorSet parameters, ServedNetwork network) {
        return new HeldOutTargets(
                samples.count(),
                description().withMetadata(parameters.metadata(), network).classes(),
                schema instanceof RowSchema rows && rows.target() instanceof NumberTarget number
                        ? Optional.of(number)
                        : Optional.empty());
    }

    /**
     * Returns what an evaluation says of a text only; empty for other samples.
     *
     * @param nats the loss of all tokens together
     */
    Optional<TextFigures> textFigures(double nats) {
        if (!(samples instanceof TextSamples text) || !(schema instanceof TextSchema described)) {
            return Optional.empty();
        }
        Tokenizer tokenizer = described.tokenizer();
        if (!tokenizer.isComplete()) {
            return Optional.of(new TextFigures(text.context(), null));
        }
        // The first token is predicted by none.
        long characters = tokenizer.characters(text.tokens()).orElse(0)
                - tokenizer.characters(text.tokens().slice(0, 1)).orElse(0);
        return Optional.of(
                new TextFigures(text.context(), characters == 0 ? null : (Double) (nats / (Math.log(2) * characters))));
    }

    /**
     * Returns a reader of the samples as a version takes them.
     *
     * @param parameters the version: its metadata may state another normalization
     * @throws IllegalArgumentException if the metadata are malformed, or state another tokenizer or table
     */
    public Reader reader(TensorSet parameters, ServedNetwork network) {
        requireStated(parameters);
        if (samples instanceof TableSamples rows) {
            return rows::read;
        }
        if (samples instanceof TextSamples text) {
            return (index, inputs, targets, place) -> text.read(index, inputs, targets, place * text.context());
        }
        if (samples instanceof LabelledTexts texts) {
            return texts::read;
        }
        ImageSamples images = (ImageSamples) samples;
        Normalization normalization =
                description().withMetadata(parameters.metadata(), network).normalization();
        return (index, inputs, targets, place) -> {
            normalization.normalize(images, index, inputs, place * images.imageBytes());
            targets[place] = images.label(index);
        };
    }

    private void requireStated(TensorSet parameters) {
        requireTokenizer(parameters.metadata().get(MetadataKeys.TOKENIZER));
        Optional<RowSchema> rows = StatedRows.in(parameters.metadata());
        if (rows.isPresent() && !rows.get().equals(schema)) {
            throw new IllegalArgumentException(
                    rows.get() instanceof SeriesSchema
                            ? "the model was trained on other series than the held-out ones: their shapes, means or targets differ"
                            : "the model was trained on rows of another table than the held-out ones: their columns, means or categories differ");
        }
    }

    private void requireTokenizer(@Nullable String stated) {
        Optional<Tokenizer> own = schema.textTokenizer();
        if (stated != null && own.isPresent() && !own.get().text().equals(stated)) {
            throw new IllegalArgumentException(
                    "the model was trained on tokens of %s; the held-out text has those of %s: they are other tokens"
                            .formatted(Tokenizer.parse(stated), own.get()));
        }
    }

    /** Reads samples into a batch. */
    @FunctionalInterface
    public interface Reader {

        /**
         * Writes a sample.
         *
         * @param index  of the sample
         * @param inputs of the batch; targets likewise
         * @param place  of the sample in the batch
         */
        void read(int index, float[] inputs, float[] targets, int place);
    }
}
