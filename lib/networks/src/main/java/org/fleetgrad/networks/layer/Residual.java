package org.fleetgrad.networks.layer;

import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.layer.Sequential.Part;

/**
 * The sum of a residual block: body(x) + shortcut(x) (K. He et al. 2016). The body's tensors have no prefix.
 *
 * @param body     the residual
 * @param shortcut the summand, whose name is the prefix of its tensors; {@link #IDENTITY} for the input itself
 */
public record Residual(Sequential body, Part shortcut) implements Layer {

    /** The shortcut that is the input itself. */
    public static final Part IDENTITY = new Part("", Sequential.IDENTITY);

    /** Makes x + body(x). */
    public static Residual of(Sequential body) {
        return new Residual(body, IDENTITY);
    }

    @Override
    public List<LayerTensor> tensors() {
        List<LayerTensor> tensors = new ArrayList<>(body.tensors());
        shortcut.layer().tensors().forEach(tensor -> tensors.add(tensor.within(shortcut.name())));
        return tensors;
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        List<Integer> residual = body.output(input);
        List<Integer> added = shortcut.layer().output(input);
        if (!residual.equals(added)) {
            throw new IllegalArgumentException("a residual of %s cannot be added to %s".formatted(residual, added));
        }
        return residual;
    }
}
