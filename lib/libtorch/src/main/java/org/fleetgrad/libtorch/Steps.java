package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Compiles layers to {@link Step steps}, once for each network, so that a batch needs no lookup by name.
 *
 * <p>An array between two steps is closed as soon as the later one has read it, as in PyTorch's own programs: libtorch retains
 * what the backward pass needs, and the next layer can reuse the remaining memory.
 */
// A step may return its input itself.
@SuppressWarnings("ReferenceEquality")
final class Steps {

    private static final Shape ONES = new Shape(1, 1);
    private static final int NONE = -1;

    private final TensorLayout layout;

    private Steps(TensorLayout layout) {
        this.layout = layout;
    }

    /**
     * Compiles a network.
     *
     * @param layout has the indices of the layers' tensors
     */
    static Step of(Sequential layers, TensorLayout layout) {
        return new Steps(layout).sequence(layers, "");
    }

    private Step step(Layer layer, String name) {
        // Java 17 has no switch over types.
        if (layer instanceof Conv2d conv) {
            return convolution(conv, name);
        } else if (layer instanceof BatchNorm2d) {
            return normalization(name);
        } else if (layer instanceof Linear) {
            int weight = place(name, "weight");
            int bias = place(name, "bias");
            return (x, pass) -> JniUtils.linear(x, pass.tensors()[weight], pass.tensors()[bias]);
        } else if (layer instanceof ReLU) {
            return (x, pass) -> JniUtils.relu(x);
        } else if (layer instanceof MaxPool2d pool) {
            Shape kernel = square(pool.kernel());
            Shape stride = square(pool.stride());
            Shape padding = square(pool.padding());
            return (x, pass) -> JniUtils.maxPool(x, kernel, stride, padding, false);
        } else if (layer instanceof AdaptiveAvgPool2d pool) {
            Shape places = square(pool.side());
            return (x, pass) -> JniUtils.adaptiveAvgPool(x, places);
        } else if (layer instanceof Flatten) {
            return (x, pass) -> JniUtils.flatten(x, 1, -1);
        } else if (layer instanceof Dropout dropout) {
            return dropout(new DropoutMask(name, dropout.probability(), false));
        } else if (layer instanceof Dropout2d dropout) {
            return dropout(new DropoutMask(name, dropout.probability(), true));
        } else if (layer instanceof Residual residual) {
            return residual(residual, name);
        } else if (layer instanceof ZeroPaddedShortcut shortcut) {
            return shortcut(shortcut);
        } else if (layer instanceof Sequential sequential) {
            return sequence(sequential, name);
        }
        throw new IllegalStateException("a layer of a kind that nothing computes: " + layer);
    }

    private Step sequence(Sequential layers, String name) {
        List<Step> list = new ArrayList<>();
        for (Sequential.Part part : layers.parts()) {
            list.add(step(part.layer(), name.isEmpty() ? part.name() : name + "." + part.name()));
        }
        Step[] steps = list.toArray(Step[]::new);
        return (input, pass) -> {
            PtNDArray x = input;
            for (Step step : steps) {
                PtNDArray next = step.run(x, pass);
                if (x != input && x != next) {
                    x.close();
                }
                x = next;
            }
            return x;
        };
    }

    private Step convolution(Conv2d conv, String name) {
        int weight = place(name, "weight");
        int bias = conv.isBiased() ? place(name, "bias") : NONE;
        Shape stride = square(conv.stride());
        Shape padding = square(conv.padding());
        return (x, pass) -> JniUtils.convolution(
                x, pass.tensors()[weight], bias == NONE ? null : pass.tensors()[bias], stride, padding, ONES, 1);
    }

    private Step normalization(String name) {
        int weight = place(name, "weight");
        int bias = place(name, "bias");
        int mean = place(name, "running_mean");
        int variance = place(name, "running_var");
        return (x, pass) -> JniUtils.batchNorm(
                x,
                pass.tensors()[mean],
                pass.tensors()[variance],
                pass.tensors()[weight],
                pass.tensors()[bias],
                pass.isTraining(),
                BatchNorm2d.MOMENTUM,
                BatchNorm2d.EPSILON);
    }

    private Step residual(Residual residual, String name) {
        Step body = sequence(residual.body(), name);
        Step shortcut = step(residual.shortcut(), name + "." + Residual.SHORTCUT);
        return (x, pass) -> {
            try (PtNDArray sum = body.run(x, pass)) {
                PtNDArray added = shortcut.run(x, pass);
                // In place: no backward pass reads the output of a normalization.
                JniUtils.addi(sum, added);
                if (added != x) {
                    added.close();
                }
                return JniUtils.relu(sum);
            }
        };
    }

    private static Step shortcut(ZeroPaddedShortcut shortcut) {
        int before = (shortcut.out() - shortcut.in()) / 2;
        long[] padding = {0, 0, 0, 0, before, before};
        Shape stride = square(shortcut.stride());
        Shape none = square(0);
        return (x, pass) -> {
            // The mean of a window of one pixel is the pixel.
            try (PtNDArray sampled = JniUtils.avgPool(x, ONES, stride, none, false, true)) {
                return JniUtils.pad(sampled, padding, 0);
            }
        };
    }

    private static Step dropout(DropoutMask mask) {
        return (x, pass) -> pass.isTraining() ? JniUtils.mul(x, mask.draw(x, pass.dropoutSeed())) : x;
    }

    private int place(String layer, String tensor) {
        String name = layer + "." + tensor;
        return layout.indexOf(name).orElseThrow(() -> new IllegalStateException("no tensor " + name));
    }

    private static Shape square(int side) {
        return new Shape(side, side);
    }

    /** A layer with its tensors resolved: computes one batch. */
    @FunctionalInterface
    interface Step {

        /** Computes the output; leaves the input open, and may return it. */
        PtNDArray run(PtNDArray input, Pass pass);
    }

    /**
     * One pass through a network.
     *
     * @param tensors     by their index in the layout; in training, state tensors are replaced by the buffers that observe
     * @param isTraining  whether normalization uses the batch's statistics, and dropout drops
     * @param dropoutSeed of the masks
     */
    record Pass(PtNDArray[] tensors, boolean isTraining, long dropoutSeed) {}
}
