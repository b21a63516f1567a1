package org.fleetgrad.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.fleetgrad.checkpoints.BestVersion;
import org.fleetgrad.checkpoints.CheckpointFile;
import org.fleetgrad.checkpoints.CheckpointLocation;
import org.fleetgrad.checkpoints.CheckpointManifest;
import org.fleetgrad.checkpoints.Checkpoints;
import org.fleetgrad.protocol.HeldOutScore;
import org.fleetgrad.protocol.HeldOutScore.ScoredVersion;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.testing.Python;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ModelCommandsTest {

    private static final TensorLayout LAYOUT =
            TensorLayout.canonical(List.of(TensorSpec.f32("fc.bias", 2), TensorSpec.f32("fc.weight", 2, 3)));

    @TempDir
    private Path run;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private String from = "";

    @BeforeEach
    void writeThree() throws IOException {
        from = run.toString();
        CheckpointLocation location =
                CheckpointLocation.parse(run.resolve("checkpoints").toString(), Map.<String, String>of()::get);
        try (Checkpoints checkpoints = Checkpoints.open(location)) {
            for (int i = 1; i <= 3; i++) {
                ParameterVersion version = new ParameterVersion("g1", i * 1000L);
                checkpoints.write(
                        version,
                        Instant.now(),
                        i == 1 ? Map.of() : Map.of("samples", "64000", "loss", "0.25", "accuracy", "0.9" + i),
                        List.of(
                                CheckpointFile.of(CheckpointManifest.PARAMETERS, parameters(version)),
                                CheckpointFile.of("state.safetensors", new byte[2000])));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"model", "model list", "model show", "model export", "model pull", "model rollback"})
    void shouldExplainItself(String command) {
        assertThat(run((command + " --help").split(" "))).isZero();
        assertThat(out.toString()).contains("Usage: fleetgrad " + command, "Example");
    }

    @Test
    void shouldAskForACommand() {
        assertThat(run("model")).isEqualTo(2);
        assertThat(err.toString()).contains("a command is missing: list, show, export, pull or rollback");
    }

    @Test
    void shouldListARunsCheckpointsNewestFirst() {
        assertThat(run("model", "list", "--checkpoints", from)).isZero();

        assertThat(out.toString()
                        .lines()
                        .map(line -> line.replaceAll(" [0-9]+ s ", " AGE ")
                                .replaceAll(" +", " ")
                                .strip()))
                .containsExactly(
                        "NUMBER VERSION GENERATION AGE SAMPLES LOSS ACCURACY HELD-OUT LOSS SIZE",
                        "3 3,000 g1 AGE 64000 0.25 0.93 - 2.2 kB",
                        "2 2,000 g1 AGE 64000 0.25 0.92 - 2.2 kB",
                        "1 1,000 g1 AGE - - - - 2.2 kB");
        assertThat(out.toString().lines().map(String::length).distinct()).hasSize(1);
    }

    @Test
    void shouldTakeTheFolderOfCheckpointsItself() {
        assertThat(run("model", "list", "--checkpoints", from + "/checkpoints")).isZero();
        assertThat(out.toString().lines()).hasSize(4);
    }

    @Test
    void shouldListForPrograms() throws IOException {
        Files.writeString(file(2, CheckpointManifest.FILE_NAME), "");

        assertThat(run("model", "list", "--checkpoints", from, "--json")).isZero();

        JsonNode json = json();
        assertThat(json.path("location").asString()).isEqualTo(from + "/checkpoints");
        JsonNode checkpoints = json.path("checkpoints");
        assertThat(checkpoints.size()).isEqualTo(3);
        assertThat(checkpoints.get(0).path("number").asLong()).isEqualTo(3);
        assertThat(checkpoints.get(0).path("whole").asBoolean()).isTrue();
        assertThat(checkpoints.get(0).path("version").asLong()).isEqualTo(3000);
        assertThat(checkpoints.get(0).path("notes").path("accuracy").asString()).isEqualTo("0.93");
        assertThat(checkpoints
                        .get(0)
                        .path("files")
                        .path("state.safetensors")
                        .path("bytes")
                        .asLong())
                .isEqualTo(2000);
        assertThat(checkpoints.get(1).toString())
                .isEqualTo("{\"number\":2,\"whole\":false,\"file\":\"manifest.json\",\"reason\":\"is empty\"}");
    }

    @Test
    void shouldNameADamagedOneWithTheReason() throws IOException {
        Files.write(file(3, "state.safetensors"), new byte[7]);

        assertThat(run("model", "list", "--checkpoints", from)).isZero();

        assertThat(out.toString().lines().toList().get(1))
                .isEqualTo("     3  damaged: state.safetensors has 7 bytes, the manifest states 2000");
    }

    @Test
    void shouldSayThatThereIsNone(@TempDir Path empty) {
        assertThat(run("model", "list", "--checkpoints", empty.toString())).isZero();
        assertThat(out).hasToString("there is no checkpoint in " + empty + System.lineSeparator());
        assertThat(empty).isEmptyDirectory();

        assertThat(run("model", "show", "--checkpoints", empty.toString())).isEqualTo(3);
        assertThat(err).hasToString("fleetgrad: there is no checkpoint in " + empty + System.lineSeparator());
    }

    @Test
    void shouldShowWhatACheckpointConsistsOf() {
        assertThat(run("model", "show", "2", "--checkpoints", from)).isZero();

        assertThat(out.toString().lines())
                .startsWith("checkpoint-000002 of " + from + "/checkpoints: verified")
                .anyMatch(line -> line.matches("version 2,000 of generation g1, written .*Z \\([0-9]+ s ago\\)"))
                .contains("accuracy: 0.92", "files:", "parameters: 2 tensors, 8 values", "  fc.weight F32 [2, 3]")
                .anyMatch(line -> line.matches("  state.safetensors, 2.0 kB, SHA-256 [0-9a-f]{64}"));
    }

    @Test
    void shouldShowTheLatestForPrograms() throws IOException {
        Files.write(file(3, "state.safetensors"), new byte[7]);

        assertThat(run("model", "show", "latest", "--checkpoints", from, "--json"))
                .isZero();

        assertThat(err)
                .hasToString("fleetgrad: skipping checkpoint 3: its state.safetensors has 7 bytes,"
                        + " the manifest states 2000" + System.lineSeparator());
        JsonNode json = json();
        assertThat(json.path("number").asLong()).isEqualTo(2);
        assertThat(json.path("tensors").toString())
                .isEqualTo("[{\"name\":\"fc.bias\",\"dtype\":\"F32\",\"shape\":[2]},"
                        + "{\"name\":\"fc.weight\",\"dtype\":\"F32\",\"shape\":[2,3]}]");
        assertThat(json.path("metadata").path("version").asString()).isEqualTo("2000");
    }

    @Test
    void shouldListShowAndExportTheBest() throws Exception {
        keepBest(run.resolve("checkpoints"));
        Path model = run.resolve("best.safetensors");

        assertThat(run("model", "list", "--checkpoints", from)).isZero();
        assertThat(out.toString().lines().toList().get(1).replaceAll(" +", " ").strip())
                .startsWith("best 2,500 g1 ")
                .endsWith(" - - 0.9750 - 216 B");
        assertThat(run("model", "show", "--best", "--checkpoints", from)).isZero();
        assertThat(out.toString())
                .contains("the best version of " + from + "/checkpoints: verified", "accuracy: 0.9750");
        assertThat(run("model", "export", "--best", "--checkpoints", from, "--out", model.toString()))
                .isZero();
        assertThat(out.toString())
                .contains(model + ": the best version, version 2,500 of generation g1, 8 parameters, ");
        TensorSet exported = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(model)));
        assertThat(exported.toFloats(LAYOUT)).containsOnly(2500f);
    }

    @Test
    void shouldPullTheBest() throws Exception {
        keepBest(run.resolve("checkpoints"));
        Path model = run.resolve("pulled.safetensors");

        assertThat(run("model", "pull", "--best", "--checkpoints", from, "--out", model.toString()))
                .isZero();

        assertThat(out.toString())
                .contains(model + ": the best version, version 2,500 of generation g1 in " + from + ", 8 parameters, ");
        assertThat(model).isRegularFile();
    }

    @Test
    void shouldSayThatAPullOfCheckpointsIsOfTheBest() {
        assertThat(run(
                        "model",
                        "pull",
                        "--checkpoints",
                        from,
                        "--out",
                        run.resolve("x").toString()))
                .isEqualTo(2);

        assertThat(err.toString()).contains("--checkpoints goes with --best");
    }

    @Test
    void shouldListTheBestForPrograms() throws IOException {
        keepBest(run.resolve("checkpoints"));

        assertThat(run("model", "list", "--checkpoints", from, "--json")).isZero();

        assertThat(json().path("best").path("version").asLong()).isEqualTo(2500);
        assertThat(json().path("checkpoints").size()).isEqualTo(3);
    }

    /** The lead has the complete set, whatever checkpoints the servers have. */
    @Test
    void shouldExportTheBestOfSeveralServers(@TempDir Path several) throws Exception {
        Path model = several.resolve("best.safetensors");
        Path lead = Files.createDirectories(several.resolve("checkpoints/0"));
        Files.createDirectories(several.resolve("checkpoints/1"));
        keepBest(lead);

        assertThat(run("model", "export", "--best", "--checkpoints", several.toString(), "--out", model.toString()))
                .as(err.toString())
                .isZero();

        assertThat(Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(model)))
                        .toFloats(LAYOUT))
                .containsOnly(2500f);
    }

    @Test
    void shouldSayThatThereIsNoBestOrThatTwoAreMeant() {
        assertThat(run("model", "show", "--best", "--checkpoints", from)).isEqualTo(3);
        assertThat(err.toString())
                .contains("/best has no best version: none was evaluated while a server kept its checkpoints there");
        assertThat(run.resolve("checkpoints/best")).doesNotExist();
        assertThat(run("model", "show", "2", "--best", "--checkpoints", from)).isEqualTo(2);
        assertThat(err.toString()).contains("--best and the checkpoint 2 are two versions: pass one of them");
    }

    private static void keepBest(Path checkpoints) throws IOException {
        ParameterVersion version = new ParameterVersion("g1", 2500);
        try (BestVersion best = BestVersion.of(CheckpointLocation.inFolder(checkpoints))) {
            best.replace(
                    new ScoredVersion(version, HeldOutScore.ofAccuracy(0.975)),
                    Instant.now(),
                    Map.of("accuracy", "0.9750"),
                    parameters(version));
        }
    }

    @Test
    void shouldExportTheParametersAlone() throws Exception {
        Path model = run.resolve("model.safetensors");

        assertThat(run("model", "export", "2", "--checkpoints", from, "--out", model.toString()))
                .isZero();

        assertThat(out.toString())
                .startsWith(model + ": checkpoint-000002, version 2,000 of generation g1, 8 parameters, ");
        TensorSet exported = Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(model)));
        assertThat(exported.layout()).isEqualTo(LAYOUT);
        assertThat(exported.toFloats(LAYOUT)).containsOnly(2000f);
    }

    @Test
    @Tag("whole")
    void shouldExportWhatPyTorchOpens() {
        Path model = run.resolve("model.safetensors");
        assertThat(run("model", "export", "--checkpoints", from, "--out", model.toString()))
                .isZero();

        assertThat(Python.run("""
                import sys
                from safetensors.torch import load_file
                print({name: tensor.tolist() for name, tensor in sorted(load_file(sys.argv[1]).items())})
                """, model.toString()))
                .isEqualTo("{'fc.bias': [3000.0, 3000.0], "
                        + "'fc.weight': [[3000.0, 3000.0, 3000.0], [3000.0, 3000.0, 3000.0]]}\n");
    }

    @Test
    void shouldNotOverwriteUnasked() throws IOException {
        Path model = Files.writeString(run.resolve("model.safetensors"), "mine");
        String[] export = {"model", "export", "--checkpoints", from, "--out", model.toString()};

        assertThat(run(export)).isEqualTo(3);
        assertThat(err)
                .hasToString("fleetgrad: " + model + " exists already; pass --force to overwrite it"
                        + System.lineSeparator());
        assertThat(model).hasContent("mine");

        assertThat(run("model", "export", "--checkpoints", from, "--out", model.toString(), "--force"))
                .isZero();
        assertThat(Files.size(model)).isGreaterThan(32);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "show 42 --checkpoints RUN | 3 | checkpoint-000042: no such checkpoint in RUN/checkpoints; there are 3, 2, 1; see fleetgrad model list --checkpoints RUN",
                "list --checkpoints RUN/none | 3 | there is no folder RUN/none",
                "list --checkpoints http://x/y | 3 | checkpoints lie in a folder or in s3://bucket/prefix, not in 'http://x/y'",
                "list --checkpoints s3://B | 3 | a bucket is written s3://bucket/prefix",
                "export --checkpoints RUN --out RUN | 3 | RUN is a folder; --out is a file to write",
                "export --checkpoints RUN --out RUN/none/m | 3 | RUN/none/m cannot be written: java.nio.file.NoSuchFileException",
                "list | 2 | Missing required option: '--checkpoints=LOCATION'",
                "export --checkpoints RUN | 2 | Missing required option: '--out=FILE'",
                "show newest --checkpoints RUN | 2 | a checkpoint is named by its number, such as 42, or 'latest', and the best version by --best; not 'newest'",
                "show 0 --checkpoints RUN | 2 | a checkpoint is named by its number, such as 42, or 'latest', and the best version by --best; not '0'",
                "show -1 --checkpoints RUN | 2 | a checkpoint is named by its number, such as 42, or 'latest', and the best version by --best; not '-1'",
                "show 9999999999999 --checkpoints RUN | 2 | a checkpoint is named by its number",
                "rollback 0 | 2 | NUMBER must be 1 or more; it is 0",
                "rollback x | 2 | x",
                "rollback | 2 | Missing required parameter: 'NUMBER'"
            })
    void shouldSayInOneLineWhatIsWrong(String arguments, int exitCode, String message) {
        assertThat(run(("model " + arguments.replace("RUN", from)).split(" "))).isEqualTo(exitCode);

        assertThat(err.toString().lines().findFirst().orElseThrow()).contains(message.replace("RUN", from));
        if (exitCode == 3) {
            assertThat(err.toString().lines()).hasSize(1);
            assertThat(err.toString()).startsWith("fleetgrad: ");
        }
    }

    @Test
    void shouldSayThatACheckpointIsDamaged() throws IOException {
        byte[] parameters = Files.readAllBytes(file(3, CheckpointManifest.PARAMETERS));
        parameters[parameters.length - 1] ^= 1;
        Files.write(file(3, CheckpointManifest.PARAMETERS), parameters);
        Path model = run.resolve("model.safetensors");

        assertThat(run("model", "export", "--checkpoints", from, "--out", model.toString()))
                .isEqualTo(3);

        assertThat(err.toString().lines()).hasSize(1);
        assertThat(err.toString())
                .startsWith("fleetgrad: checkpoint-000003/parameters.safetensors has the SHA-256 ")
                .endsWith("; choose another one: fleetgrad model list --checkpoints " + from + System.lineSeparator());
        assertThat(model).doesNotExist();
    }

    private Path file(int number, String name) {
        return run.resolve("checkpoints/checkpoint-00000" + number).resolve(name);
    }

    private JsonNode json() {
        assertThat(out.toString().lines()).hasSize(1);
        return JsonMapper.builder().build().readTree(out.toString());
    }

    private static TensorSet parameters(ParameterVersion version) {
        float[] values = new float[8];
        Arrays.fill(values, (float) version.version());
        return TensorSet.ofFloats(
                LAYOUT,
                values,
                Map.of("generation", version.generation(), "version", Long.toString(version.version())));
    }

    private int run(String... arguments) {
        CommandLine commandLine = Fleetgrad.commandLine();
        commandLine.setOut(new PrintWriter(out, true));
        commandLine.setErr(new PrintWriter(err, true));
        return commandLine.execute(arguments);
    }
}
