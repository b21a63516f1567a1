package org.fleetgrad.libtorch;

import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.JniUtils;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.networks.layer.BatchNorm1d;
import org.fleetgrad.networks.layer.BatchNorm2d;
import org.fleetgrad.networks.layer.CategoryEmbeddings;
import org.fleetgrad.networks.layer.ClassToken;
import org.fleetgrad.networks.layer.Conv2d;
import org.fleetgrad.networks.layer.Embedding;
import org.fleetgrad.networks.layer.GraphLayer;
import org.fleetgrad.networks.layer.Layer;
import org.fleetgrad.networks.layer.Layer.AdaptiveAvgPool2d;
import org.fleetgrad.networks.layer.Layer.Dropout;
import org.fleetgrad.networks.layer.Layer.Dropout2d;
import org.fleetgrad.networks.layer.Layer.FirstToken;
import org.fleetgrad.networks.layer.Layer.Flatten;
import org.fleetgrad.networks.layer.Layer.Gelu;
import org.fleetgrad.networks.layer.Layer.MaxPool2d;
import org.fleetgrad.networks.layer.Layer.PatchTokens;
import org.fleetgrad.networks.layer.Layer.ReLU;
import org.fleetgrad.networks.layer.Layer.Tanh;
import org.fleetgrad.networks.layer.LayerNorm;
import org.fleetgrad.networks.layer.Linear;
import org.fleetgrad.networks.layer.PositionEmbedding;
import org.fleetgrad.networks.layer.Residual;
import org.fleetgrad.networks.layer.Sequential;
import org.fleetgrad.networks.layer.Sequential.Part;
import org.fleetgrad.networks.layer.TiedLinear;
import org.fleetgrad.networks.layer.TokenTypeEmbedding;
import org.fleetgrad.networks.layer.ZeroPaddedShortcut;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.jspecify.annotations.Nullable;

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
        } else if (layer instanceof BatchNorm2d || layer instanceof BatchNorm1d) {
            return normalization(name);
        } else if (layer instanceof Linear linear) {
            return linear(linear, name);
        } else if (layer instanceof TiedLinear tied) {
            int weight = place("", tied.tensor());
            return (x, pass) -> JniUtils.linear(x, pass.tensors()[weight], null);
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
        } else if (layer instanceof Embedding) {
            int weight = place(name, "weight");
            return (x, pass) -> embedding(x, pass.tensors()[weight]);
        } else if (layer instanceof PositionEmbedding positions) {
            int rows = place(name, positions.tensor());
            return (x, pass) -> positions(x, pass.tensors()[rows]);
        } else if (layer instanceof LayerNorm norm) {
            int weight = place(name, "weight");
            int bias = place(name, "bias");
            Shape width = new Shape(norm.width());
            return (x, pass) ->
                    JniUtils.layerNorm(x, width, pass.tensors()[weight], pass.tensors()[bias], norm.epsilon());
        } else if (layer instanceof Gelu gelu) {
            return gelu.isTanh() ? (x, pass) -> Operator.GELU_TANH.run(x) : (x, pass) -> JniUtils.gelu(x);
        } else if (layer instanceof TokenTypeEmbedding) {
            int rows = place(name, "weight");
            return (x, pass) -> firstPart(x, pass.tensors()[rows]);
        } else if (layer instanceof CategoryEmbeddings categories) {
            return categories(categories, name);
        } else if (layer instanceof Tanh) {
            return (x, pass) -> JniUtils.tanh(x);
        } else if (layer instanceof PatchTokens) {
            return Steps::patchTokens;
        } else if (layer instanceof ClassToken) {
            int token = place(name, "class_token");
            return (x, pass) -> classToken(x, pass.tensors()[token]);
        } else if (layer instanceof FirstToken) {
            return Steps::firstToken;
        } else if (layer instanceof ZeroPaddedShortcut shortcut) {
            return shortcut(shortcut);
        } else if (layer instanceof GraphLayer piece) {
            return GraphSteps.of(piece.graph(), tensor -> place(name, tensor));
        } else if (layer instanceof Sequential sequential) {
            return sequence(sequential, name);
        }
        return SeriesSteps.of(layer, tensor -> place(name, tensor))
                .or(() -> AttentionSteps.of(layer, name, tensor -> place(name, tensor)))
                .orElseThrow(() -> new IllegalStateException("a layer of a kind that nothing computes: " + layer));
    }

    private Step sequence(Sequential layers, String name) {
        List<Step> list = new ArrayList<>();
        for (Sequential.Part part : layers.parts()) {
            list.add(step(part.layer(), Part.join(name, part.name())));
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
                pass.observes(mean),
                BatchNorm2d.MOMENTUM,
                BatchNorm2d.EPSILON);
    }

    private Step linear(Linear linear, String name) {
        int weight = place(name, linear.form().weightName());
        int bias = linear.bias().isPresent() ? place(name, linear.form().biasName()) : NONE;
        boolean isInputFirst = linear.form() == Linear.Form.CONV1D;
        return (x, pass) -> {
            @Nullable PtNDArray added = bias == NONE ? null : pass.tensors()[bias];
            if (!isInputFirst) {
                return JniUtils.linear(x, pass.tensors()[weight], added);
            }
            try (PtNDArray transposed = JniUtils.transpose(pass.tensors()[weight], 0, 1)) {
                return JniUtils.linear(x, transposed, added);
            }
        };
    }

    private static PtNDArray embedding(PtNDArray tokens, PtNDArray rows) {
        try (PtNDArray indices = JniUtils.to(tokens, DataType.INT64, tokens.getDevice())) {
            return JniUtils.embedding(indices, rows, false);
        }
    }

    /** Joins the plain values of rows and the learned ones of their categories. */
    private Step categories(CategoryEmbeddings categories, String name) {
        int numbers = categories.numbers();
        int[] tables = new int[categories.tables().size()];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = place(name, i + ".weight");
        }
        return (x, pass) -> {
            PtNDArray[] parts = new PtNDArray[tables.length + 1];
            parts[0] = JniUtils.slice(x, 1, 0, numbers, 1);
            for (int i = 0; i < tables.length; i++) {
                try (PtNDArray column = JniUtils.slice(x, 1, numbers + i, numbers + i + 1L, 1);
                        PtNDArray values = JniUtils.squeeze(column, 1)) {
                    parts[i + 1] = embedding(values, pass.tensors()[tables[i]]);
                }
            }
            PtNDArray together = JniUtils.cat(parts, 1);
            for (PtNDArray part : parts) {
                part.close();
            }
            return together;
        };
    }

    /** Adds the first rows to the tokens [count, tokens, width]. */
    private static PtNDArray positions(PtNDArray x, PtNDArray rows) {
        int positions = rows.getShape().dimension() - 2;
        try (PtNDArray first = JniUtils.slice(rows, positions, 0, x.getShape().get(1), 1)) {
            return JniUtils.add(x, first);
        }
    }

    /** Adds the first row to each token. */
    private static PtNDArray firstPart(PtNDArray x, PtNDArray rows) {
        try (PtNDArray first = JniUtils.slice(rows, 0, 0, 1, 1)) {
            return JniUtils.add(x, first);
        }
    }

    private static PtNDArray patchTokens(PtNDArray x, Pass pass) {
        try (PtNDArray flat = JniUtils.flatten(x, 2, -1)) {
            return JniUtils.transpose(flat, 1, 2);
        }
    }

    private static PtNDArray firstToken(PtNDArray x, Pass pass) {
        try (PtNDArray first = JniUtils.slice(x, 1, 0, 1, 1)) {
            return JniUtils.squeeze(first, 1);
        }
    }

    private static PtNDArray classToken(PtNDArray x, PtNDArray token) {
        long count = x.getShape().get(0);
        // One token for each sample: a broadcast, whose gradient is the sum.
        try (PtNDArray zeros = (PtNDArray)
                        x.getManager().zeros(new Shape(count, 1, x.getShape().get(2)));
                PtNDArray tokens = JniUtils.add(zeros, token)) {
            return JniUtils.cat(new PtNDArray[] {tokens, x}, 1);
        }
    }

    private Step residual(Residual residual, String name) {
        Step body = sequence(residual.body(), name);
        Step shortcut = step(
                residual.shortcut().layer(), Part.join(name, residual.shortcut().name()));
        return (x, pass) -> {
            PtNDArray sum = body.run(x, pass);
            PtNDArray added = shortcut.run(x, pass);
            // In place: no backward pass reads the output of a normalization, a convolution, a linear layer or a
            // dropout.
            JniUtils.addi(sum, added);
            if (added != x) {
                added.close();
            }
            return sum;
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
        String name = Part.join(layer, tensor);
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
     * @param tensors     by their index in the layout; in training, state tensors are replaced by the buffers that observe,
     *     unless they are frozen
     * @param isTraining  whether normalization uses the batch's statistics, and dropout drops
     * @param isFrozen    by the index in the layout; empty if nothing is frozen
     * @param dropoutSeed of the masks
     * @param input       what the first layer gets: the tokens of texts say what is padding
     */
    record Pass(PtNDArray[] tensors, boolean isTraining, boolean[] isFrozen, long dropoutSeed, PtNDArray input) {

        private static final boolean[] NOTHING_FROZEN = {};

        /** A pass in which nothing is frozen. */
        Pass(PtNDArray[] tensors, boolean isTraining, long dropoutSeed, PtNDArray input) {
            this(tensors, isTraining, NOTHING_FROZEN, dropoutSeed, input);
        }

        /** Returns whether a normalization uses and observes the batch's statistics, by the index of its mean. */
        boolean observes(int mean) {
            return isTraining && (isFrozen.length == 0 || !isFrozen[mean]);
        }
    }
}
