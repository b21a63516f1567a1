package org.fleetgrad.serving;

import java.util.Optional;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.datasets.text.SampleEncoding;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.serving.images.InvalidImagesException;
import org.fleetgrad.serving.images.InvalidImagesException.Rule;
import org.fleetgrad.serving.images.JsonImages;
import org.fleetgrad.serving.series.JsonSeries;
import org.fleetgrad.serving.tables.JsonRows;
import org.fleetgrad.serving.texts.JsonTexts;

/**
 * What a version takes: images of a shape, texts, rows of a table, or series.
 *
 * @param network   of the version
 * @param tokenizer of its texts, if its metadata state one
 * @param rows      that it takes, of a table or series, if its metadata state them
 */
public record SampleForm(ServedNetwork network, Optional<Tokenizer> tokenizer, Optional<RowSchema> rows) {

    /** Makes the form of images, or of texts. */
    public SampleForm(ServedNetwork network, Optional<Tokenizer> tokenizer) {
        this(network, tokenizer, Optional.empty());
    }

    /** Returns whether it takes texts. */
    public boolean isOfTexts() {
        return network.task() instanceof TextClassification;
    }

    /**
     * Returns the shape of its images.
     *
     * @throws InvalidImagesException if it takes no images
     */
    public ImageShape images() {
        return network.images();
    }

    /**
     * Returns how its texts become samples.
     *
     * @throws InvalidImagesException if it takes no texts, or if nobody has its tokenizer
     */
    public SampleEncoding texts() {
        if (!(network.task() instanceof TextClassification texts)) {
            throw new InvalidImagesException(
                    Rule.MALFORMED,
                    "the network %s takes %s, not texts"
                            .formatted(network.name(), network.task().samples()));
        }
        Tokenizer known = tokenizer
                .filter(Tokenizer::isComplete)
                .orElseThrow(() -> new InvalidImagesException(
                        Rule.NO_TOKENIZER,
                        "the model's tokens are of %s, and this service does not have it yet: the test shard of its dataset has (inference.test-shard)"
                                .formatted(tokenizer
                                        .map(Tokenizer::toString)
                                        .orElse("a tokenizer that it does not state"))));
        return encoding(known, texts);
    }

    private static SampleEncoding encoding(Tokenizer tokenizer, TextClassification texts) {
        return new SampleEncoding(tokenizer, texts.context(), texts.padding());
    }

    /** Returns whether samples that were read before are such as it takes. */
    public boolean takes(Images samples) {
        Optional<?> encoding = network.task() instanceof TextClassification texts
                ? tokenizer.map(known -> encoding(known, texts))
                : rows;
        return network.shape().equals(samples.shape()) && encoding.equals(samples.encoding());
    }

    /** Returns the table whose rows it takes, if it is one and its metadata state it. */
    public Optional<TableSchema> table() {
        return rows.filter(TableSchema.class::isInstance).map(TableSchema.class::cast);
    }

    private Images readRows(byte[] body, int most, SampleMemory.Lease memory) {
        return stated() instanceof TableSchema table
                ? new JsonRows(table, most).read(body, memory)
                : new JsonSeries(series(), most).read(body, memory);
    }

    /**
     * Returns the series that it takes.
     *
     * @throws InvalidImagesException if its metadata do not state them
     */
    public SeriesSchema series() {
        return (SeriesSchema) stated();
    }

    private RowSchema stated() {
        return rows.orElseThrow(() -> new InvalidImagesException(
                Rule.MALFORMED,
                "the parameter set of the network %s does not state the columns of its table, or its series, in its metadata"
                        .formatted(network.name())));
    }

    /**
     * Reads a body of JSON as the samples that it takes.
     *
     * @param most   maximum samples of a request
     * @param memory of the request
     * @throws InvalidImagesException if the body has others, or there is no memory for them
     */
    public Images read(byte[] body, int most, SampleMemory.Lease memory) {
        if (network.task() instanceof RowTask) {
            return readRows(body, most, memory);
        }
        return isOfTexts()
                ? new JsonTexts(texts(), most).read(body, memory)
                : new JsonImages(images(), most).read(body, memory);
    }
}
