package org.fleetgrad.runs.resume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResumePathTest {

    @TempDir
    private Path folder;

    @Test
    void shouldTakeTheCheckpointsOfARunsFolder() throws Exception {
        Path checkpoints = folder.resolve("run/checkpoints");
        Files.createDirectories(checkpoints.resolve("checkpoint-000001"));

        assertThat(ResumePath.resolve(folder.resolve("run").toString())).isEqualTo(checkpoints.toString());
        assertThat(ResumePath.resolve(folder.resolve("run") + "#12")).isEqualTo(checkpoints + "#12");
    }

    @Test
    void shouldTakeAFolderOfCheckpointsOrOneOfThem() throws Exception {
        Path one = Files.createDirectories(folder.resolve("checkpoint-000042"));

        assertThat(ResumePath.resolve(folder.toString())).isEqualTo(folder.toString());
        assertThat(ResumePath.resolve(one.toString())).isEqualTo(folder + "#42");
    }

    @Test
    void shouldRefuseAFileAndNameTheOptionThatTakesIt() throws Exception {
        Path model = Files.createFile(folder.resolve("model#1.safetensors"));

        assertThatThrownBy(() -> ResumePath.resolve(model.toString()))
                .hasMessage("--resume %s: it is a file, not a run's folder; --from %s begins with the values of a model"
                        .formatted(model, model));
    }

    @Test
    void shouldLeaveABucketToTheServer() throws Exception {
        assertThat(ResumePath.resolve("s3://bucket/prefix#3")).isEqualTo("s3://bucket/prefix#3");
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThatThrownBy(() -> ResumePath.resolve(folder.resolve("gone#1").toString()))
                .isInstanceOfSatisfying(
                        RunFailedException.class,
                        failed -> assertThat(failed.isInput()).isTrue())
                .hasMessage("--resume %s/gone#1: there is no such folder".formatted(folder));
        assertThatThrownBy(() -> ResumePath.resolve(folder.toString()))
                .hasMessage(
                        "--resume %s: there are no checkpoints in %s; pass a run's folder or a folder of checkpoints"
                                .formatted(folder, folder));
        assertThatThrownBy(() -> ResumePath.resolve("nul\0"))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("not a path");
    }
}
