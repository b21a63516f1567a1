package org.fleetgrad.onnx.form;

import java.util.List;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.ValueInfo;

/**
 * What people pass to a model, and how it becomes what the network takes: the first nodes of a model. The way back, from the network's
 * samples to what people pass, is for comparisons. Immutable.
 */
public sealed interface SampleForm permits ImageForm, PlainForm, RowForm, SeriesForm, TokenForm {

    /** The free side of all inputs and outputs. */
    String SAMPLES = "samples";

    /** Adds the inputs and the first nodes; returns the value that the network takes. */
    String add(OnnxGraph graph);

    /**
     * Returns the values of each input, in the inputs' order, for samples as the network takes them: arrays of float, double, long or
     * {@code String}, as the input's type says.
     *
     * @param samples one after the other
     */
    List<Object> values(float[] samples, int count);

    /** Returns the name, the type and the shape of each input. */
    List<ValueInfo> inputs();

    /** Says for people what to pass. */
    String description();
}
