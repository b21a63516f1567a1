package org.fleetgrad.serving;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.datasets.ClassNames;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.table.LabelsTarget;
import org.fleetgrad.datasets.text.Tokenizer;
import org.fleetgrad.networks.Question.Regression;
import org.fleetgrad.networks.RowTask;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.networks.Task.TextClassification;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.serving.tables.StatedRows;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The meaning of the network's inputs and outputs.
 *
 * @param normalization scaling of the pixels in training
 * @param classes       name of each output's class, or label; a dataset may name fewer classes than there are outputs. The list is empty
 *     if no classes are named: then an output's name is its number
 * @param tokenizer     what turns text into tokens; empty for other samples, and if none is stated
 * @param rows          of which table, or what series, the samples are; empty for other samples, and if none is stated
 */
public record ModelDescription(
        Normalization normalization, List<String> classes, Optional<Tokenizer> tokenizer, Optional<RowSchema> rows) {

    /** Of a network for texts that states no tokenizer: neither normalization nor classes. */
    public static final ModelDescription NONE =
            new ModelDescription(new Normalization(List.of(0f), List.of(1f)), List.of());

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final float WHITE = 255;

    public ModelDescription {
        classes = List.copyOf(classes);
    }

    /** Describes a network for images. */
    public ModelDescription(Normalization normalization, List<String> classes) {
        this(normalization, classes, Optional.empty());
    }

    /** Describes a network for images or texts. */
    public ModelDescription(Normalization normalization, List<String> classes, Optional<Tokenizer> tokenizer) {
        this(normalization, classes, tokenizer, Optional.empty());
    }

    /** Describes a network for rows of a table, or for series. */
    public static ModelDescription ofRows(RowSchema rows) {
        return new ModelDescription(NONE.normalization, rows.classes(), Optional.empty(), Optional.of(rows));
    }

    /** The JSON form of a normalization in a parameter set's metadata. */
    private record MeanAndStd(List<Float> mean, List<Float> std) {
        // List.copyOf refuses null, which JSON may contain.
        @JsonCreator
        MeanAndStd {
            mean = List.copyOf(mean);
            std = List.copyOf(std);
        }
    }

    /** The JSON form of the class names in a parameter set's metadata. */
    private record Names(List<String> names) {
        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Names {
            names = List.copyOf(names);
        }
    }

    /**
     * Returns the description of a version: what its metadata states, else this one's, for each channel and each output of its
     * network. A network for texts has a tokenizer but no normalization, and classes only if it classifies. An output without a
     * class is called {@code output 7}, for example: training never makes it right.
     *
     * @throws IllegalArgumentException if the metadata is malformed, if the number of channels differs, or if the metadata
     *     names more classes than the network has outputs
     */
    public ModelDescription withMetadata(Map<String, String> metadata, ServedNetwork network) {
        if (network.task() instanceof RowTask task) {
            return ofRows(metadata, network, task);
        }
        if (network.task() instanceof TextClassification) {
            return new ModelDescription(
                    NONE.normalization, names(metadata, network.outputs()), tokenizer(metadata, network));
        }
        if (!(network.task() instanceof ImageClassification)) {
            return new ModelDescription(NONE.normalization, NONE.classes, tokenizer(metadata, network));
        }
        int channels = network.shape().channels();
        return new ModelDescription(
                metadata.containsKey(MetadataKeys.NORMALIZATION)
                        ? stated(metadata, channels)
                        : perChannel(normalization, channels),
                names(metadata, network.outputs()));
    }

    private ModelDescription ofRows(Map<String, String> metadata, ServedNetwork network, RowTask task) {
        Optional<RowSchema> stated = StatedRows.in(metadata).or(() -> rows);
        stated.ifPresent(schema -> task.requireFit(network.name(), schema.task()));
        return new ModelDescription(
                NONE.normalization, namesOfRows(metadata, network, stated), Optional.empty(), stated);
    }

    private List<String> namesOfRows(Map<String, String> metadata, ServedNetwork network, Optional<RowSchema> stated) {
        if (network.task().question() instanceof Regression) {
            return List.of();
        }
        return stated.isPresent() && stated.get().target() instanceof LabelsTarget target
                ? target.labels()
                : names(metadata, network.outputs());
    }

    /** The metadata name a tokenizer that is a file by its digest; this description may have the file. */
    private Optional<Tokenizer> tokenizer(Map<String, String> metadata, ServedNetwork network) {
        Optional<Tokenizer> stated = Optional.ofNullable(metadata.get(MetadataKeys.TOKENIZER))
                .map(text -> tokenizer.filter(own -> own.text().equals(text)).orElseGet(() -> Tokenizer.parse(text)));
        int vocabulary = network.task().tokens().orElse(0);
        stated.filter(tokenizer -> tokenizer.vocabulary() > vocabulary).ifPresent(larger -> {
            throw new IllegalArgumentException(
                    "the parameter set's metadata '%s' has %d tokens, the network has a vocabulary of %d"
                            .formatted(MetadataKeys.TOKENIZER, larger.vocabulary(), vocabulary));
        });
        return stated;
    }

    /** Returns this description, with the file of its tokenizer if {@code other} has that file and this has not. */
    ModelDescription withFileOf(ModelDescription other) {
        return other.tokenizer
                .filter(Tokenizer::isComplete)
                .filter(complete -> tokenizer.filter(complete::equals).isPresent())
                .map(complete -> new ModelDescription(normalization, classes, Optional.of(complete)))
                .orElse(this);
    }

    private static Normalization stated(Map<String, String> metadata, int channels) {
        MeanAndStd values = read(metadata, MetadataKeys.NORMALIZATION, MeanAndStd.class);
        Normalization stated = new Normalization(values.mean(), values.std());
        if (stated.mean().size() != channels) {
            throw new IllegalArgumentException(
                    "the parameter set's metadata '%s' is for %d channels, the network has %d"
                            .formatted(MetadataKeys.NORMALIZATION, stated.mean().size(), channels));
        }
        return stated;
    }

    private static Normalization perChannel(Normalization normalization, int channels) {
        List<Float> mean = normalization.mean();
        List<Float> std = normalization.std();
        if (mean.size() == channels) {
            return normalization;
        }
        if (mean.size() == 1) {
            return new Normalization(
                    Collections.nCopies(channels, mean.get(0)), Collections.nCopies(channels, std.get(0)));
        }
        throw new IllegalArgumentException(
                "its metadata states no '%s', and inference.mean has %d numbers; the network takes images of %d channels: write 1 number or %d"
                        .formatted(MetadataKeys.NORMALIZATION, mean.size(), channels, channels));
    }

    private List<String> names(Map<String, String> metadata, int outputs) {
        List<String> names = new ArrayList<>(
                metadata.containsKey(MetadataKeys.CLASSES)
                        ? read(metadata, MetadataKeys.CLASSES, Names.class).names()
                        : classes);
        if (names.size() > outputs) {
            throw new IllegalArgumentException(
                    "the parameter set's metadata '%s' names %d classes, the network has %d outputs"
                            .formatted(MetadataKeys.CLASSES, names.size(), outputs));
        }
        if (names.isEmpty()) {
            return ClassNames.numbers(outputs);
        }
        for (int output = names.size(); output < outputs; output++) {
            names.add("output " + output);
        }
        return names;
    }

    /**
     * Scales pixels 0..255 in place, [count, channels, plane], with the float32 operations of {@link Normalization}.
     */
    void normalize(float[] pixels, ImageShape shape) {
        int plane = shape.planeValues();
        for (int from = 0; from < pixels.length; from += plane) {
            int channel = from / plane % shape.channels();
            float mean = normalization.mean().get(channel);
            float std = normalization.std().get(channel);
            for (int i = from; i < from + plane; i++) {
                pixels[i] = (pixels[i] / WHITE - mean) / std;
            }
        }
    }

    private static <T> T read(Map<String, String> metadata, String key, Class<T> type) {
        String text = metadata.get(key);
        try {
            T value = JSON.readValue(text, type);
            if (value != null) {
                return value;
            }
        } catch (JacksonException malformed) {
            throw new IllegalArgumentException(
                    "the parameter set's metadata '%s' is malformed: %s".formatted(key, malformed.getOriginalMessage()),
                    malformed);
        }
        throw new IllegalArgumentException("the parameter set's metadata '%s' is malformed: %s".formatted(key, text));
    }
}
