package org.fleetgrad.inference.infer;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.access.RequestRefused;
import org.fleetgrad.networks.SeriesTask;
import org.fleetgrad.networks.TableTask;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.SampleForm;
import org.fleetgrad.serving.SampleMemory;
import org.fleetgrad.serving.images.InvalidImagesException;

/**
 * A request for inference. The response repeats its id, and has its outputs in this order.
 *
 * @param inputs  one or more
 * @param outputs those that the request names; without any, the response has all
 * @param isBinary whether outputs that do not say come as bytes
 */
public record InferRequest(Optional<String> id, List<InferInput> inputs, List<NamedOutput> outputs, boolean isBinary) {

    public InferRequest {
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /** An output that the request names; the values of a binary one are sent as bytes after the JSON. */
    public record NamedOutput(String name, boolean isBinary) {}

    /** An output of the model that the response has. */
    public record Requested(InferOutput output, boolean isBinary) {}

    /**
     * Reads the samples as a version takes them.
     *
     * @param most   maximum samples of a request
     * @param memory of the request
     * @throws RequestRefused         if the inputs are not such samples, or the model does not have an output
     * @throws InvalidImagesException likewise, or if there is no memory
     */
    public Images samples(SampleForm form, int most, SampleMemory.Lease memory) {
        // An output that the model does not have is refused before anything is computed.
        List<Requested> unused = requested(InferOutput.of(form.network()));
        if (form.network().task() instanceof TableTask task) {
            return new RowInputs(task, form.table(), most, memory).read(inputs);
        } else if (form.network().task() instanceof SeriesTask) {
            return SeriesInput.read(inputs, form.series(), most, memory);
        }
        return form.isOfTexts()
                ? TextInput.read(inputs, form.texts(), most, memory)
                : ImageInput.read(inputs, form.images(), most, memory);
    }

    /** Returns the outputs that the response has, of those that there are. */
    public List<Requested> requested(List<InferOutput> there) {
        return outputs.isEmpty()
                ? there.stream().map(output -> new Requested(output, isBinary)).toList()
                : outputs.stream()
                        .map(named -> new Requested(InferOutput.named(named.name(), there), named.isBinary()))
                        .toList();
    }
}
