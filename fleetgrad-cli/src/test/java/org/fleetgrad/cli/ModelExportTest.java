package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Exports of the model that a run left, to formats that need no engine; and the cards of all. */
class ModelExportTest {

    private static final String GPT2 = "gpt2?layers=1&heads=2&width=8&context=4&vocabulary=5";

    @TempDir
    private Path run;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void writeModel() throws IOException {
        write(
                "lenet5",
                Map.of("classes", "[\"a|b\",\"two\"]", "dataset", "letters", "generation", "g1", "version", "1234"));
        Files.writeString(
                run.resolve("report.json"),
                "{\"result\":{\"samples\":64000,\"accuracy\":0.9375,\"heldOutLoss\":0.25,\"workers\":2}}");
    }

    private TensorSet write(String network, Map<String, String> stated) throws IOException {
        NetworkDefinition definition = Networks.usual(network);
        Map<String, String> metadata = new TreeMap<>(definition.spec().metadata());
        metadata.putAll(stated);
        TensorSet parameters =
                TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(1), metadata);
        Files.write(
                run.resolve("model.safetensors"), Safetensors.encode(parameters).array());
        return parameters;
    }

    @Test
    void shouldExportTheModelOfARunWithACard() throws Exception {
        assertThat(export("--from RUN --out RUN/m.safetensors"))
                .as(err.toString())
                .isZero();

        assertThat(out.toString())
                .startsWith(run.resolve("m.safetensors") + ": version 1,234 of generation g1, 61,706 parameters, ");
        assertThat(Files.readAllBytes(run.resolve("m.safetensors")))
                .isEqualTo(Files.readAllBytes(run.resolve("model.safetensors")));
        assertThat(Files.readString(run.resolve("m.md")))
                .startsWith("# m.safetensors\n")
                .contains(
                        "| network | lenet5?classes=10&input=1x28x28 |",
                        "| takes and answers | images of [1, 28, 28] in 10 classes |",
                        "| dataset | letters |",
                        "| classes | a\\|b, two |",
                        "| version | version 1,234 of generation g1 |",
                        "| samples trained on | 64000 |",
                        "| held-out accuracy | 0.9375 |",
                        "| held-out loss | 0.25 |",
                        "| parameters | 61,706 |",
                        "| licence | not stated: choose one |",
                        "load_file(\"m.safetensors\")")
                .doesNotContain("workers");
    }

    @Test
    void shouldWriteTheSameCardOfTheSameModel() throws Exception {
        assertThat(export("--from RUN --out RUN/m.safetensors")).isZero();
        String once = Files.readString(run.resolve("m.md"));

        assertThat(export("--from RUN --out RUN/m.safetensors --force")).isZero();

        assertThat(Files.readString(run.resolve("m.md"))).isEqualTo(once);
    }

    @Test
    void shouldSayOnACardWhatIsNotKnown() throws Exception {
        TensorSet bare = write("lenet5", Map.of());
        Files.write(
                run.resolve("bare"),
                Safetensors.encode(new TensorSet(bare.layout(), bare.data(), Map.of()))
                        .array());

        assertThat(export("--from RUN/bare --out RUN/m")).as(err.toString()).isZero();

        assertThat(Files.readString(run.resolve("m.md")))
                .contains("| network | not stated |", "| dataset | not stated |", "| version | of no version |")
                .doesNotContain("held-out");
    }

    @Test
    void shouldExportATransformerForHuggingFace() throws Exception {
        TensorSet parameters = write(GPT2, Map.of("tokenizer", "characters:abcde"));

        assertThat(export("--from RUN --to HuggingFace --out RUN/folder"))
                .as(err.toString())
                .isZero();

        Path folder = run.resolve("folder");
        try (var files = Files.list(folder)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder(
                            "README.md", "config.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json");
        }
        TensorSet exported =
                Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(folder.resolve("model.safetensors"))));
        assertThat(exported.data()).isEqualTo(parameters.data());
        assertThat(Files.readString(folder.resolve("README.md")))
                .contains("AutoModelForCausalLM.from_pretrained(\"folder\")", "choose one");
        assertThat(export("--from RUN --to huggingface --out RUN/folder --force"))
                .isEqualTo(3);
        assertThat(err.toString()).contains("folder exists already; --out is a folder to make");
    }

    @Test
    void shouldRefuseNetworksThatTransformersDoNotHave() {
        assertThat(export("--from RUN --to huggingface --out RUN/folder")).isEqualTo(3);

        assertThat(err)
                .hasToString(
                        "fleetgrad: transformers have no form of the network 'lenet5'; those that have one are bert,"
                                + " bert-base, gpt2, gpt2-medium: --to onnx takes every network"
                                + System.lineSeparator());
        assertThat(run.resolve("folder")).doesNotExist();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--from RUN --to pickle --out RUN/m | 2 | expected one of [SAFETENSORS, ONNX, HUGGINGFACE] (case-insensitive) but was 'pickle'",
                "--out RUN/m | 2 | --checkpoints=LOCATION",
                "--from RUN --checkpoints RUN --out RUN/m | 2 | mutually exclusive",
                "3 --from RUN --out RUN/m | 2 | NUMBER and --mixed choose checkpoints: they go with --checkpoints",
                "--from RUN --mixed --out RUN/m | 2 | NUMBER and --mixed choose checkpoints",
                "--from RUN --best --out RUN/m | 2 | --best is kept beside checkpoints: it goes with --checkpoints",
                "--from RUN --data RUN --out RUN/m | 2 | --data and its options are for --to onnx",
                "--from RUN/none --out RUN/m | 3 | there is no file RUN/none",
                "--from RUN/empty --out RUN/m | 3 | RUN/empty has no model.safetensors: a run leaves it when it ends",
                "--from RUN/report.json --out RUN/m | 3 | RUN/report.json is not a safetensors file: ",
                "--from RUN/lying --out RUN/m | 3 | RUN/lying is not a safetensors file: ",
                "--from RUN --out RUN/report.json | 3 | RUN/report.json exists already; pass --force to overwrite it",
                "--from RUN --out RUN/page.safetensors | 3 | RUN/page.md exists already; pass --force to overwrite it",
                "--from RUN --to onnx --out RUN/m.onnx | 4 | evaluator.jar is not built"
            })
    void shouldSayInOneLineWhatIsWrong(String arguments, int code, String message) throws IOException {
        Files.createDirectory(run.resolve("empty"));
        Files.writeString(run.resolve("page.md"), "mine");
        byte[] whole = Files.readAllBytes(run.resolve("model.safetensors"));
        Files.write(run.resolve("lying"), Arrays.copyOf(whole, whole.length / 2));
        String home = System.setProperty("fleetgrad.home", run.toString());
        try {
            assertThat(export(arguments)).as(err.toString()).isEqualTo(code);
        } finally {
            System.clearProperty("fleetgrad.home");
            if (home != null) {
                System.setProperty("fleetgrad.home", home);
            }
        }

        assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message.replace("RUN", run.toString()));
        assertThat(run.resolve("m")).doesNotExist();
        assertThat(run.resolve("m.md")).doesNotExist();
        assertThat(run.resolve("page.md")).hasContent("mine");
    }

    private int export(String arguments) {
        String[] words = ("model export " + arguments).split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].startsWith("RUN") ? run + words[i].substring("RUN".length()) : words[i];
        }
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(words);
    }
}
