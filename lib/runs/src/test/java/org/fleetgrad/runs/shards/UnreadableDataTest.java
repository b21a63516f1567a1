package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.junit.jupiter.api.Test;

class UnreadableDataTest {

    private static final Path FOLDER = Path.of("digits");

    @Test
    void shouldNameAMissingFolderOnce() {
        IOException missing = catchThrowableOfType(
                IOException.class, () -> DatasetFolder.read(Path.of("nowhere"), FolderOptions.NONE));

        assertThat(UnreadableData.of(Path.of("nowhere"), missing))
                .hasMessage("--data nowhere: there is no such folder or file");
    }

    @Test
    void shouldNameTheFolderOnceWhenItsMessageIsASentenceAboutIt() {
        assertThat(UnreadableData.of(FOLDER, new InvalidDatasetException("digits has files of 2 kinds of datasets")))
                .hasMessage("--data digits has files of 2 kinds of datasets");
    }

    @Test
    void shouldNameTheFolderOnceBesideAFileInIt() {
        assertThat(UnreadableData.of(FOLDER, new InvalidDatasetException("digits/train.gz is truncated")))
                .hasMessage("--data digits: train.gz is truncated");
    }

    @Test
    void shouldSayWhatFailedWhenTheMessageIsTheFolderAlone() {
        assertThat(UnreadableData.of(FOLDER, new AccessDeniedException("digits")))
                .hasMessage("--data digits: it cannot be read (AccessDeniedException)");
    }
}
