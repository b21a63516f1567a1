package org.fleetgrad.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.TextSchema;
import org.fleetgrad.datasets.folder.DatasetFolder;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.text.CharacterTokenizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProjectPagesTest {

    @TempDir
    private Path folder;

    @Test
    void shouldBeADatasetOfSentencesWithAFewCharacters() throws Exception {
        ProjectPages.write(folder);

        String training = Files.readString(folder.resolve("pages.txt"));
        String heldOut = Files.readString(folder.resolve("test.txt"));
        assertThat(training).contains("parameter server").doesNotContain("```", "](");
        assertThat(training.length()).isGreaterThan(150_000);
        assertThat(heldOut.length()).isBetween(training.length() / 40, training.length() / 10);
        Dataset dataset = DatasetFolder.read(folder, FolderOptions.NONE);
        assertThat(((TextSchema) dataset.schema()).tokenizer()).isInstanceOf(CharacterTokenizer.class);
        assertThat(dataset.train().count()).isGreaterThan(2000);
    }
}
