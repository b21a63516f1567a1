package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;

/**
 * The residual block: relu(body(x) + shortcut(x)) (K. He et al. 2016). The body's tensors have no prefix; the shortcut's
 * have {@code downsample}, as in torchvision.
 *
 * @param body     the residual
 * @param shortcut the summand; {@link Sequential#IDENTITY} for the input itself
 */
public record Residual(Sequential body, Layer shortcut) implements Layer {

    /** The prefix of the shortcut's tensors. */
    public static final String SHORTCUT = "downsample";

    @Override
    public List<LayerTensor> tensors() {
        List<LayerTensor> tensors = new ArrayList<>(body.tensors());
        shortcut.tensors().forEach(tensor -> tensors.add(tensor.within(SHORTCUT)));
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        List<Integer> residual = body.output(input);
        List<Integer> added = shortcut.output(input);
        if (!residual.equals(added)) {
            throw new IllegalArgumentException("a residual of %s cannot be added to %s".formatted(residual, added));
        }
        return residual;
    }
}
