package org.fleetgrad.testing;

import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * A dependency of tests that a newcomer's machine may lack.
 *
 * <p>If it is absent, the test is skipped and says so on stderr. If the environment variable {@code FLEETGRAD_REQUIRE}
 * names it, as in CI ({@code shared,python,tmpfs,docker,browser}), the test fails instead. Only {@code verify -Pwhole} runs tests
 * that need more than shared data.
 */
public enum Requirement {
    /** The folder of shared data beside the checkout. */
    SHARED,
    /** A Python with torch, safetensors, numpy and kubernetes-validate; some tests need torchvision, timm, transformers, openai or schemathesis too. */
    PYTHON,
    /** The right to mount a small tmpfs, and {@code prlimit}: for full disks. */
    TMPFS,
    /** A Docker engine on this machine, with the base image of the worker's image, or able to pull it. */
    DOCKER,
    /** Chromium and its driver, as the commands {@code chromium} and {@code chromedriver}. */
    BROWSER,
    /** An NVIDIA GPU with its driver, and libtorch for CUDA ({@code docs/gpu.md}). CI has none. */
    GPU,
    /** The command {@code kubectl}; no cluster. */
    KUBECTL,
    /** An OpenWhisk controller that the environment names. */
    OPENWHISK;

    /** Whether this JVM runs only the tests of {@code ./mvnw verify}. */
    private static final boolean IS_VERIFY = !Boolean.parseBoolean(System.getProperty("fleetgrad.whole", "true"));

    /** Continues the test if {@code present}; skips or fails it otherwise. */
    public void check(boolean present, String what) {
        if (IS_VERIFY && this != SHARED) {
            Assertions.fail("./mvnw verify runs no test that needs %s: this one needs @Tag(\"whole\")".formatted(this));
        }
        if (present) {
            return;
        }
        String message = "%s is absent: %s".formatted(this, what);
        if (isDemanded()) {
            Assertions.fail(message + " (FLEETGRAD_REQUIRE demands it)");
        }
        System.err.println("SKIPPED, " + message);
        Assumptions.abort(message);
    }

    private boolean isDemanded() {
        String demanded = System.getenv().getOrDefault("FLEETGRAD_REQUIRE", "");
        return Arrays.asList(demanded.toUpperCase(Locale.ROOT).split(",")).contains(name());
    }
}
