package org.fleetgrad.benchmarks.kernels;

/** The timed kernels, methods of {@link OptimizerKernels}. */
enum Kernel {
    TRIAD("triad", "a = b + s c", 12, ""),
    COPY("copy", "System.arraycopy", 8, ""),
    MOMENTUM("momentum", "SGD with momentum", 20, "sgd"),
    ADAM("adam", "Adam", 28, "adam"),
    ADAMW("adamw", "AdamW", 28, "adamw");

    private final String method;
    private final String what;
    private final int bytes;
    private final String inTorch;

    Kernel(String method, String what, int bytes, String inTorch) {
        this.method = method;
        this.what = what;
        this.bytes = bytes;
        this.inTorch = inTorch;
    }

    String method() {
        return method;
    }

    /** Describes the kernel and the fewest bytes that it must move. */
    String what() {
        return "%s, %.0f MB moved".formatted(what, (double) bytes * OptimizerKernels.PARAMETERS / 1e6);
    }

    boolean isOptimizer() {
        return !inTorch.isEmpty();
    }

    /** Returns its name in optimizers.py. */
    String inTorch() {
        return inTorch;
    }
}
