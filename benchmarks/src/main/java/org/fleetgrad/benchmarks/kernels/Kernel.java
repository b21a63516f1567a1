package org.fleetgrad.benchmarks.kernels;

/** What is timed: a method of {@link OptimizerKernels}. */
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

    /** Returns what it does, and how many bytes it must move at the least. */
    String what() {
        return "%s, %.0f MB moved".formatted(what, (double) bytes * OptimizerKernels.PARAMETERS / 1e6);
    }

    boolean isOptimizer() {
        return !inTorch.isEmpty();
    }

    /** Returns the name that optimizers.py knows it by. */
    String inTorch() {
        return inTorch;
    }
}
