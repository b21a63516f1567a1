package org.fleetgrad.onnx;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.RowSchema;
import org.fleetgrad.datasets.SeriesSchema;
import org.fleetgrad.datasets.TableSchema;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.onnx.file.OnnxGraph;
import org.fleetgrad.onnx.file.OnnxModel;
import org.fleetgrad.onnx.form.AnswerForm;
import org.fleetgrad.onnx.form.ImageForm;
import org.fleetgrad.onnx.form.PlainForm;
import org.fleetgrad.onnx.form.RowForm;
import org.fleetgrad.onnx.form.SampleForm;
import org.fleetgrad.onnx.form.SeriesForm;
import org.fleetgrad.onnx.form.TokenForm;
import org.fleetgrad.onnx.nodes.LayerNodes;
import org.fleetgrad.protocol.tensor.TensorSet;

/**
 * A trained network as a model of ONNX: between what people pass and what they want to know, as an evaluation computes it.
 *
 * @param model  to be written
 * @param form   of its inputs
 * @param answer of its output
 */
public record OnnxExport(OnnxModel model, SampleForm form, AnswerForm answer) {

    /** transformers needs this in a safetensors file; it says nothing of a model. */
    private static final String FORMAT = "format";

    /**
     * Makes the model.
     *
     * @param parameters    of the network; they are read when the model is written
     * @param normalization of the images, if it is known
     * @param rows          the table or the series, if the network was trained on one that is known
     * @throws IllegalArgumentException if the parameters are not the network's; the message has the first difference
     */
    public static OnnxExport of(
            NetworkDefinition network,
            TensorSet parameters,
            Optional<Normalization> normalization,
            Optional<RowSchema> rows) {
        network.spec().firstDifference(parameters).ifPresent(difference -> {
            throw new IllegalArgumentException(difference.message());
        });
        Task task = network.spec().task();
        SampleForm form = form(task, normalization, rows);
        AnswerForm answer = AnswerForm.of(task, rows);
        OnnxGraph graph = new OnnxGraph(parameters);
        String input = form.add(graph);
        answer.add(graph, LayerNodes.add(graph, network.layers(), input, task.input()));
        Map<String, String> metadata = new TreeMap<>(parameters.metadata());
        metadata.remove(FORMAT);
        return new OnnxExport(graph.model(form.description(), metadata), form, answer);
    }

    private static SampleForm form(Task task, Optional<Normalization> normalization, Optional<RowSchema> rows) {
        if (task.tokens().isPresent()) {
            return new TokenForm(task.inputSize());
        }
        if (task instanceof ImageClassification images && normalization.isPresent()) {
            return new ImageForm(images.image(), normalization.get());
        }
        if (rows.isPresent()) {
            return rows.get() instanceof SeriesSchema series
                    ? new SeriesForm(series)
                    : new RowForm((TableSchema) rows.get());
        }
        return new PlainForm(task.input());
    }
}
