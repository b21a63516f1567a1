package org.fleetgrad.runs.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.protocol.partition.Partitioning;
import org.fleetgrad.protocol.safetensors.Safetensors;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumePartsTest {

    private static final TensorSet MODEL = TensorSet.ofFloats(
            TensorLayout.canonical(List.of(TensorSpec.f32("b", 3), TensorSpec.f32("a", 5))),
            new float[] {1, 2, 3, 4, 5, 6, 7, 8},
            Map.of("network", "tiny", "partition-origin", "of a run before"));

    @TempDir
    private Path folder;

    @Test
    void shouldSplitAFileForTheServers() throws Exception {
        Path file = Files.write(
                folder.resolve("model.safetensors"), Safetensors.encode(MODEL).array());

        List<String> sources = ResumeParts.split(file, 3, folder.resolve("run"));

        List<TensorSet> parts = new ArrayList<>();
        for (String source : sources) {
            parts.add(Safetensors.decode(ByteBuffer.wrap(Files.readAllBytes(Path.of(source)))));
        }
        TensorSet joined = Partitioning.joined(parts);
        assertThat(joined.toFloats(MODEL.layout())).containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
        assertThat(joined.metadata()).isEqualTo(Map.of("network", "tiny"));
        assertThat(parts.get(0).metadata().get("partition-origin")).isNotEqualTo("of a run before");
    }

    @Test
    void shouldTakeTheFoldersOfARunWithAsManyServers() throws Exception {
        Path run = runOf(2);

        assertThat(ResumeParts.sources(run.toString(), 2))
                .containsExactly(
                        run.resolve("checkpoints/0").toString(),
                        run.resolve("checkpoints/1").toString());
    }

    @Test
    void shouldSayWhatToWriteWhenTheNumbersOfServersDiffer() throws Exception {
        Path run = runOf(2);

        assertThatThrownBy(() -> ResumeParts.sources(run.toString(), 3))
                .isInstanceOf(RunFailedException.class)
                .hasMessage(
                        "--resume %s: it is a run of 2 servers, and --servers is 3; pass --servers 2, or export the model, and begin with it: fleetgrad model export --checkpoints %s --out model.safetensors"
                                .formatted(run, run));
        assertThatThrownBy(() -> ResumePath.resolve(run.toString()))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("it is a run of 2 servers; pass --servers 2");
    }

    @Test
    void shouldSayWhatIsWrongWithAFile() throws Exception {
        Path file = Files.writeString(folder.resolve("model.safetensors"), "no");
        Path small = Files.write(
                folder.resolve("small.safetensors"), Safetensors.encode(MODEL).array());

        assertThatThrownBy(() -> ResumeParts.split(file, 2, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("the body has 2 bytes");
        assertThatThrownBy(() -> ResumeParts.split(small, 9, folder))
                .hasMessageContaining("a parameter set of 8 values cannot be cut into 9 partitions");
        assertThatThrownBy(() -> ResumeParts.sources(folder.resolve("gone").toString(), 2))
                .hasMessageContaining("there is no such folder");
        assertThatThrownBy(() -> ResumeParts.sources("s3://bucket/prefix", 2)).hasMessageContaining("on this machine");
    }

    private Path runOf(int servers) throws Exception {
        Path run = folder.resolve("run");
        for (Path each : ResumeParts.folders(run.resolve("checkpoints"), servers)) {
            Files.createDirectories(each.resolve("checkpoint-000001"));
        }
        return run;
    }
}
