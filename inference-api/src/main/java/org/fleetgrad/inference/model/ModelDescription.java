package org.fleetgrad.inference.model;

import com.fasterxml.jackson.annotation.JsonCreator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.datasets.Normalization;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The meaning of the network's inputs and outputs.
 *
 * @param normalization scaling of the pixels in training
 * @param classes       name of each output's class; a dataset may name fewer classes than there are outputs
 */
public record ModelDescription(Normalization normalization, List<String> classes) {

    private static final String NORMALIZATION = "normalization";
    private static final String CLASSES = "classes";
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final float WHITE = 255;

    public ModelDescription {
        classes = List.copyOf(classes);
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
     * Returns the description in a parameter set's metadata; values that the metadata does not have are taken from this
     * one.
     *
     * @throws IllegalArgumentException if the metadata is malformed, has another number of channels, or names more classes
     *     than the network has outputs
     */
    public ModelDescription overriddenBy(Map<String, String> metadata) {
        Normalization stated = normalization;
        List<String> names = classes;
        if (metadata.containsKey(NORMALIZATION)) {
            MeanAndStd values = read(metadata, NORMALIZATION, MeanAndStd.class);
            stated = new Normalization(values.mean(), values.std());
            requireAsManyChannels(stated);
        }
        if (metadata.containsKey(CLASSES)) {
            names = read(metadata, CLASSES, Names.class).names();
            if (names.size() > classes.size()) {
                throw new IllegalArgumentException(
                        "the parameter set's metadata '%s' names %d classes, the network has %d outputs"
                                .formatted(CLASSES, names.size(), classes.size()));
            }
        }
        return new ModelDescription(stated, names).forOutputs(classes.size());
    }

    /** Names each output that no class stands for, such as {@code output 7}: training never makes it right. */
    public ModelDescription forOutputs(int outputs) {
        List<String> names = new ArrayList<>(classes);
        for (int output = names.size(); output < outputs; output++) {
            names.add("output " + output);
        }
        return new ModelDescription(normalization, names);
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

    private void requireAsManyChannels(Normalization stated) {
        int expected = normalization.mean().size();
        if (stated.mean().size() != expected) {
            throw new IllegalArgumentException(
                    "the parameter set's metadata '%s' is for %d channels, the network has %d"
                            .formatted(NORMALIZATION, stated.mean().size(), expected));
        }
    }
}
