package org.fleetgrad.pipelineruns.flush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.files.Sha256;
import org.fleetgrad.pipeline.run.StageMessage.Part;
import org.fleetgrad.pipelineruns.flush.FlushFolder.FlushRecord;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FlushFolderTest {

    @TempDir
    private Path folder;

    private FlushFolder flushes;

    @BeforeEach
    void open() {
        flushes = new FlushFolder(folder, false);
    }

    private FlushRecord written(long flush, String... contents) throws IOException {
        flushes.prepare(flush);
        List<Part> parts = new ArrayList<>();
        for (String content : contents) {
            Path file = folder.resolve("flush-%06d".formatted(flush)).resolve("stage-%d".formatted(parts.size()));
            Files.writeString(file, content);
            parts.add(new Part(String.valueOf(file.getFileName()), content.length(), Sha256.of(file)));
        }
        return new FlushRecord(
                flush,
                10 * flush,
                5 * flush,
                100,
                1.5,
                "lenet5",
                "fc1",
                List.of(60, 40),
                Map.of("--stages", "2"),
                parts);
    }

    @Test
    void shouldGiveBackTheLastCommitAndDeleteTheFlushBefore() throws Exception {
        flushes.commit(written(1, "first", "half"));
        FlushRecord second = written(2, "second", "part");
        flushes.commit(second);

        assertThat(flushes.last()).contains(second);
        assertThat(flushes.parts(second)).allSatisfy(part -> assertThat(part).isRegularFile());
        assertThat(folder.resolve("flush-000001")).doesNotExist();
    }

    @Test
    void shouldHaveNoCommitBeforeTheFirst() throws Exception {
        flushes.prepare(1);

        assertThat(flushes.last()).isEmpty();
    }

    /** A crash between the parts and the commit: the previous flush is still valid, with its files. */
    @Test
    void shouldGoOnFromTheFlushBeforeWhileTheNextIsNotWhole() throws Exception {
        FlushRecord first = written(1, "first", "half");
        flushes.commit(first);
        written(2, "only one part");

        assertThat(new FlushFolder(folder, false).last()).contains(first);
        flushes.deleteOthers(1);
        assertThat(folder.resolve("flush-000002")).doesNotExist();
        assertThat(flushes.last()).contains(first);
    }

    @Test
    void shouldNotCommitAPartThatIsShort() throws Exception {
        FlushRecord record = written(1, "first", "half");
        Files.writeString(flushes.parts(record).get(1), "ha");

        assertThatThrownBy(() -> flushes.commit(record))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("stage-1")
                .hasMessageContaining("4 bytes");
        assertThat(flushes.last()).isEmpty();
    }

    @Test
    void shouldRefuseADamagedPart() throws Exception {
        FlushRecord record = written(1, "first", "half");
        flushes.commit(record);
        Files.writeString(flushes.parts(record).get(1), "hALf");

        assertThatThrownBy(() -> flushes.last())
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("stage-1")
                .hasMessageContaining("the flush is damaged");
    }

    @Test
    void shouldSayWhichPartIsMissing() throws Exception {
        FlushRecord record = written(1, "first", "half");
        flushes.commit(record);
        Files.delete(flushes.parts(record).get(0));

        assertThatThrownBy(() -> flushes.last())
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("stage-0")
                .hasMessageContaining("is missing");
    }

    @Test
    void shouldRefuseADamagedCommit() throws Exception {
        Files.writeString(folder.resolve("commit.json"), "{\"flush\":");

        assertThatThrownBy(() -> flushes.last())
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining("is no record of a flush");
    }
}
