package org.fleetgrad.inference.infer;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.inference.infer.InferOutput.Requested;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.Images;

/**
 * A request for inference.
 *
 * @param id      the client's id of the request, which the response repeats
 * @param input   the images
 * @param outputs the requested outputs, in order
 */
public record InferRequest(Optional<String> id, InferInput input, List<Requested> outputs) {

    public InferRequest {
        outputs = List.copyOf(outputs);
    }

    /** Reads the images in the shape that the network takes. */
    public Images images(ImageShape shape, int maxImages) {
        return input.images(shape, maxImages);
    }
}
