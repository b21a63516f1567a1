package org.fleetgrad.networks.layer;

import java.util.List;

/**
 * The parameter-free shortcut of the CIFAR ResNets ("option A", K. He et al. 2016, section 4.2): every {@code stride}-th pixel,
 * and channels of zeros, half of them before and half after.
 *
 * @param in     channels in
 * @param out    channels out; an even number more than {@code in}
 * @param stride step between pixels
 */
public record ZeroPaddedShortcut(int in, int out, int stride) implements Layer {

    public ZeroPaddedShortcut {
        Shapes.requirePositive("a padded shortcut", in, stride);
        if (out < in || (out - in) % 2 != 0) {
            throw new IllegalArgumentException(
                    "a padded shortcut adds an even number of channels; it makes %d from %d".formatted(out, in));
        }
    }

    @Override
    public List<Integer> output(List<Integer> input) {
        Shapes.requireChannels("a padded shortcut", in, input);
        return List.of(
                out,
                Shapes.places("a padded shortcut", input.get(1), 1, stride, 0, input),
                Shapes.places("a padded shortcut", input.get(2), 1, stride, 0, input));
    }
}
