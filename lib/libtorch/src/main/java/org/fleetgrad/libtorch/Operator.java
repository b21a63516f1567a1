package org.fleetgrad.libtorch;

import ai.djl.ndarray.NDList;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An operator of libtorch that DJL has no call for, as a TorchScript module of a few lines without tensors. {@code
 * make_operators.py} makes the modules, and says what each computes. Thread-safe.
 */
final class Operator {

    static final Operator ATTENTION = new Operator("attention");
    static final Operator ATTENTION_CAUSAL = new Operator("attention-causal");
    static final Operator ATTENTION_MASKED = new Operator("attention-masked");
    static final Operator CAUSAL_ATTENTION = new Operator("causal-attention");
    static final Operator CAUSAL_ATTENTION_DROPPED = new Operator("causal-attention-dropped");
    static final Operator CONTINUE_TEXT = new Operator("continue-text");
    static final Operator COPY_INTO = new Operator("copy-into");
    static final Operator COPY_TO_HOST = new Operator("copy-to-host");
    static final Operator DROPOUT_MASK = new Operator("dropout-mask");
    static final Operator FULL_ATTENTION = new Operator("full-attention");
    static final Operator FULL_ATTENTION_DROPPED = new Operator("full-attention-dropped");
    static final Operator GELU_TANH = new Operator("gelu-tanh");
    static final Operator HARDSIGMOID = new Operator("hardsigmoid");
    static final Operator HARDSWISH = new Operator("hardswish");
    static final Operator MISH = new Operator("mish");
    static final Operator PADDED_ATTENTION = new Operator("padded-attention");
    static final Operator PADDED_ATTENTION_DROPPED = new Operator("padded-attention-dropped");
    static final Operator PINNED_MEMORY = new Operator("pinned-memory");
    static final Operator SILU = new Operator("silu");
    static final Operator TOKEN_CROSS_ENTROPY = new Operator("token-cross-entropy");

    private final String name;
    private @Nullable PtSymbolBlock module;

    private Operator(String name) {
        this.name = name;
    }

    /** Computes the output; it belongs to the first input's manager. Its gradient is libtorch's own. */
    PtNDArray run(PtNDArray... inputs) {
        keepKernels();
        // "Training" is DJL's word for leaving the mode of gradients as it is.
        return (PtNDArray)
                IValueUtils.forward(loaded(), new NDList(inputs), true).head();
    }

    /** Computes the output of any arguments; it belongs to no manager. */
    IValue run(IValue... arguments) {
        keepKernels();
        return IValueUtils.forward(loaded(), arguments);
    }

    /** Otherwise the first passes are profiled, and later ones run other kernels with other last bits. */
    private static void keepKernels() {
        JniUtils.setGraphExecutorOptimize(false);
    }

    private synchronized PtSymbolBlock loaded() {
        if (module == null) {
            String file = "operators/" + name + ".pt";
            try (InputStream in = Objects.requireNonNull(Operator.class.getResourceAsStream(file), file)) {
                PtNDManager forever = (PtNDManager) Libtorch.engine().newBaseManager(ai.djl.Device.cpu());
                module = JniUtils.loadModule(forever, in, false, false);
            } catch (IOException unreadable) {
                throw new UncheckedIOException("cannot read the resource " + file, unreadable);
            }
        }
        return module;
    }
}
