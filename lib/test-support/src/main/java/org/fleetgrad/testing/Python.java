package org.fleetgrad.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a Python that has torch, safetensors, numpy and kubernetes-validate, or skips the test. */
public final class Python {

    private static final String COMMAND = "python3";

    /** Its progress bars are not what the script prints. */
    private static final String QUIET_MLFLOW = """
            import os
            os.environ["MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR"] = "false"
            """;

    private static final String IN_FOLDER = """
            import os, sys
            os.chdir(sys.argv.pop(1))
            """;

    /** A wheel built for another PyTorch looks for its own operators, which the networks do not use. */
    private static final String IMPORT_TORCHVISION = """
            import torch
            try:
                import torchvision
            except RuntimeError:
                operators = torch.library.Library("torchvision", "DEF")
                operators.define("nms(Tensor dets, Tensor scores, float threshold) -> Tensor")
                import torchvision
            """;

    /** It must not ask a host for newer files. */
    private static final String OFFLINE = """
            import os
            os.environ["HF_HUB_OFFLINE"] = "1"
            """;

    /** What it says of its progress is not what the script prints. */
    private static final String IMPORT_TRANSFORMERS = OFFLINE + """
            import transformers
            transformers.logging.set_verbosity_error()
            transformers.utils.logging.disable_progress_bar()
            """;

    private Python() {}

    /** Skips the test if there is no such Python. */
    public static void require() {
        Requirement.PYTHON.check(
                Oracles.ARE_PRESENT, COMMAND + " with torch, safetensors, numpy and kubernetes-validate");
    }

    /** Runs a script and returns what it printed; a script that fails fails the test. */
    public static String run(String script, String... arguments) {
        require();
        return succeed(script, arguments);
    }

    private static String succeed(String script, String... arguments) {
        Outcome outcome = start(script, arguments);
        assertThat(outcome.exitCode()).as(outcome.output()).isZero();
        return outcome.output();
    }

    /** Skips the test if there is no such Python, or if it has no torchvision. */
    public static void requireTorchvision() {
        require();
        Requirement.PYTHON.check(Oracles.HAVE_TORCHVISION, COMMAND + " with torchvision");
    }

    /** Skips the test if there is no such Python, or if it has no transformers. */
    public static void requireTransformers() {
        require();
        Requirement.PYTHON.check(Oracles.HAVE_TRANSFORMERS, COMMAND + " with transformers");
    }

    /** Runs a script that finds {@code transformers} imported, and returns what it printed; a script that fails fails the test. */
    public static String runWithTransformers(String script, String... arguments) {
        requireTransformers();
        return run(IMPORT_TRANSFORMERS + script, arguments);
    }

    /** Skips the test if there is no such Python, or if it has no {@code tritonclient[http]}. */
    public static void requireTritonClient() {
        require();
        Requirement.PYTHON.check(Oracles.HAVE_TRITON_CLIENT, COMMAND + " with tritonclient[http]");
    }

    /** Skips the test if there is no such Python, or if it has no {@code tritonclient[grpc]}. */
    public static void requireTritonClientOverGrpc() {
        require();
        Requirement.PYTHON.check(TritonOverGrpc.IS_PRESENT, COMMAND + " with tritonclient[grpc]");
    }

    /** Runs a script that imports openai, and returns what it printed; skips the test if Python has no openai. */
    public static String runWithOpenAi(String script, String... arguments) {
        Requirement.PYTHON.check(OpenAi.IS_PRESENT, COMMAND + " with openai");
        return succeed(script, arguments);
    }

    /** Runs a script that imports sklearn, and returns what it printed; skips the test if Python has no scikit-learn. */
    public static String runWithScikitLearn(String script, String... arguments) {
        Requirement.PYTHON.check(ScikitLearn.IS_PRESENT, COMMAND + " with scikit-learn");
        return succeed(script, arguments);
    }

    /** Runs a script that imports pandas, which writes Parquet, and returns what it printed; skips the test if Python has none. */
    public static String runWithPandas(String script, String... arguments) {
        Requirement.PYTHON.check(Pandas.IS_PRESENT, COMMAND + " with pandas and pyarrow");
        return succeed(script, arguments);
    }

    /**
     * Runs a script that may import torchvision, in a folder, and returns what it printed; a script that fails fails the test.
     */
    public static String runWithTorchvision(Path folder, String script, String... arguments) {
        requireTorchvision();
        List<String> all = new ArrayList<>(List.of(folder.toString()));
        all.addAll(List.of(arguments));
        return run(IN_FOLDER + IMPORT_TORCHVISION + script, all.toArray(String[]::new));
    }

    /**
     * Runs a script that imports timm, in a folder whose modules it may import, and returns what it printed; skips the test if Python has no
     * timm.
     */
    public static String runWithTimm(Path folder, String script, String... arguments) {
        requireTorchvision();
        Requirement.PYTHON.check(Timm.IS_PRESENT, COMMAND + " with timm");
        List<String> all = new ArrayList<>(List.of(folder.toString()));
        all.addAll(List.of(arguments));
        return run(IN_FOLDER + OFFLINE + IMPORT_TORCHVISION + script, all.toArray(String[]::new));
    }

    /** Runs a script that imports tensorboard, and returns what it printed; skips the test if Python has no tensorboard. */
    public static String runWithTensorboard(String script, String... arguments) {
        Requirement.PYTHON.check(Tensorboard.IS_PRESENT, COMMAND + " with tensorboard");
        return succeed(script, arguments);
    }

    /** Skips the test if Python has no mlflow. */
    public static void requireMlflow() {
        Requirement.PYTHON.check(Mlflow.IS_PRESENT, COMMAND + " with mlflow");
    }

    /** Runs a script that imports mlflow, and returns what it printed; skips the test if Python has no mlflow. */
    public static String runWithMlflow(String script, String... arguments) {
        requireMlflow();
        return succeed(QUIET_MLFLOW + script, arguments);
    }

    /** Skips the test if Python has not both onnx and onnxruntime. */
    public static void requireOnnx() {
        Requirement.PYTHON.check(Onnx.IS_PRESENT, COMMAND + " with onnx and onnxruntime");
    }

    /** Runs a script that imports onnx and onnxruntime, in a folder, and returns what it printed; skips the test as {@link #requireOnnx} does. */
    public static String runWithOnnx(Path folder, String script) {
        requireOnnx();
        return succeed(IN_FOLDER + script, folder.toString());
    }

    /** Runs a script that builds a package, and returns what it printed; skips the test if Python has no setuptools. */
    public static String runWithSetuptools(String script, String... arguments) {
        require();
        Requirement.PYTHON.check(Setuptools.IS_PRESENT, COMMAND + " with setuptools");
        return succeed(script, arguments);
    }

    /** Skips the test if Python has no schemathesis. */
    public static void requireSchemathesis() {
        Requirement.PYTHON.check(Schemathesis.IS_PRESENT, COMMAND + " with schemathesis");
    }

    /** Runs a file that imports schemathesis, and returns what it printed; skips the test if Python has no schemathesis. */
    public static String runWithSchemathesis(Path script, String... arguments) {
        requireSchemathesis();
        try {
            return succeed(Files.readString(script), arguments);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read " + script, unreadable);
        }
    }

    /** Checked once: each import of torch takes seconds. */
    private static final class Oracles {

        static final boolean ARE_PRESENT =
                start("import torch, safetensors, numpy, kubernetes_validate").exitCode() == 0;
        static final boolean HAVE_TRITON_CLIENT =
                start("import tritonclient.http").exitCode() == 0;
        static final boolean HAVE_TORCHVISION = has("torchvision");
        static final boolean HAVE_TRANSFORMERS = has("transformers");
    }

    /** Separate, since one test needs it. */
    private static final class TritonOverGrpc {
        static final boolean IS_PRESENT = start("import tritonclient.grpc").exitCode() == 0;
    }

    /** Separate, since few tests need it. */
    private static final class Timm {

        static final boolean IS_PRESENT = has("timm");
    }

    /** Separate, since it needs no torch. */
    private static final class Tensorboard {

        static final boolean IS_PRESENT = has("tensorboard");
    }

    /** Separate, since it needs no torch. */
    private static final class Mlflow {

        static final boolean IS_PRESENT = has("mlflow");
    }

    /** Separate, since it needs no torch. */
    private static final class OpenAi {

        static final boolean IS_PRESENT = start("import openai").exitCode() == 0;
    }

    /** Separate, since it needs no torch. */
    private static final class ScikitLearn {

        static final boolean IS_PRESENT = start("import sklearn").exitCode() == 0;
    }

    /** Separate, since it needs no torch. */
    private static final class Pandas {

        static final boolean IS_PRESENT = start("import pandas, pyarrow").exitCode() == 0;
    }

    /** Separate, since it needs no torch. */
    private static final class Setuptools {

        static final boolean IS_PRESENT = start("import setuptools").exitCode() == 0;
    }

    /** Separate, since it needs no torch. */
    private static final class Schemathesis {

        static final boolean IS_PRESENT = start("import schemathesis").exitCode() == 0;
    }

    /** Separate, since it needs no torch. */
    private static final class Onnx {

        static final boolean IS_PRESENT = start("import onnx, onnxruntime").exitCode() == 0;
    }

    /** Returns whether a module is there, without the seconds of its import. */
    private static boolean has(String module) {
        String find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('%s') is None)";
        return start(find.formatted(module)).exitCode() == 0;
    }

    private record Outcome(int exitCode, String output) {}

    private static Outcome start(String script, String... arguments) {
        List<String> command = new ArrayList<>(List.of(COMMAND, "-X", "utf8", "-W", "ignore", "-c", script));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Outcome(process.waitFor(), output);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Python ran", interrupted);
        } catch (IOException noSuchCommand) {
            return new Outcome(-1, new UncheckedIOException(noSuchCommand).toString());
        }
    }
}
