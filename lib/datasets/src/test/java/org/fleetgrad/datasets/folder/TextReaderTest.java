package org.fleetgrad.datasets.folder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.fleetgrad.datasets.InvalidDatasetException;
import org.fleetgrad.datasets.TextDataset;
import org.fleetgrad.datasets.folder.DatasetFolder.FolderOptions;
import org.fleetgrad.datasets.text.ByteTokenizer;
import org.fleetgrad.testing.SharedData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextReaderTest {

    private static final String ALPHABET = "the quick brown fox jumps over the lazy dog. ";

    @TempDir
    private Path parent;

    private static FolderOptions options(String tokenizer, int context) {
        return new FolderOptions(
                Optional.empty(),
                OptionalInt.empty(),
                Optional.ofNullable(tokenizer.isEmpty() ? null : tokenizer),
                OptionalInt.of(context));
    }

    private Path folder(String file, String text) throws IOException {
        Path folder = Files.createDirectories(parent.resolve("fables"));
        Files.writeString(folder.resolve(file), text);
        return folder;
    }

    private static TextDataset read(Path source, FolderOptions options) throws IOException {
        return (TextDataset) DatasetFolder.read(source, options);
    }

    @Test
    void shouldHoldOutTheLastTenth() throws IOException {
        TextDataset dataset = read(folder("a.txt", ALPHABET.repeat(20)), options("", 8));

        assertThat(dataset.name()).isEqualTo("fables");
        assertThat(dataset.schema().context()).isEqualTo(8);
        assertThat(dataset.schema().tokenizer().vocabulary()).isEqualTo(28);
        assertThat(dataset.train().count()).isEqualTo(100);
        assertThat(dataset.test().tokens().count()).isEqualTo(90);
    }

    @Test
    void shouldHoldOutAFileOfItsOwnAndLeaveOutWhatIsAboutTheData() throws IOException {
        Path folder = folder("b.txt", "b".repeat(50));
        folder("a.txt", "a".repeat(50));
        folder("val.txt", "c".repeat(9));
        folder("SOURCE.txt", "X");
        folder("LICENSE-MIT.txt", "Y");
        NameFile.write(folder, "letters");

        TextDataset dataset = read(folder, options("", 4));

        assertThat(dataset.name()).isEqualTo("letters");
        assertThat(dataset.schema().tokenizer().text()).isEqualTo("characters:abc");
        assertThat(dataset.train().count()).isEqualTo(24);
        assertThat(dataset.test().tokens().count()).isEqualTo(9);
    }

    @Test
    void shouldReadAFile() throws IOException {
        Path file = folder("poem.txt", ALPHABET.repeat(9)).resolve("poem.txt");

        assertThat(read(file, options("gpt2", 4)).name()).isEqualTo("poem");
        assertThat(read(file, options("gpt2", 4)).schema().task().classes()).isEqualTo(50_257);
    }

    @Test
    void shouldTakeBytesWhereThereAreManyCharacters() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 300; i++) {
            text.appendCodePoint(0x1F300 + i);
        }

        TextDataset dataset = read(folder("a.txt", text.toString()), options("", 8));

        assertThat(dataset.schema().tokenizer()).isEqualTo(new ByteTokenizer());
        assertThat(dataset.train().count()).isEqualTo(1080 / 8 - 1);
        assertThat(dataset.test().tokens().count()).isEqualTo(120);
    }

    @Test
    void shouldSayWhyATextCannotBeRead() throws IOException {
        Path folder = folder("a.txt", "abc");
        assertThatThrownBy(() -> read(folder, options("", 8)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a training text has 3 tokens; samples of 8 tokens need at least 16");
        assertThatThrownBy(() -> read(folder, options("words", 8)))
                .hasMessageContaining(
                        "the tokenizer must be characters, bytes, gpt2 or a tokenizer.json; it is 'words', which is no file");
        Files.write(folder.resolve("a.txt"), new byte[] {'a', 'b', (byte) 0xe9, 'c'});
        assertThatThrownBy(() -> read(folder, options("", 1)))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("a.txt is not UTF-8: byte 2 of 4, 0xe9, begins no character");
        Files.write(folder.resolve("a.txt"), new byte[] {'a', 'b', (byte) 0xe9});
        assertThatThrownBy(() -> read(folder, options("", 1))).hasMessageContaining("byte 2 of 3");
        folder("val.txt", "abc");
        folder("test.txt", "abc");
        assertThatThrownBy(() -> read(folder, options("", 1))).hasMessageContaining("several files are held out");
    }

    @Test
    void shouldPreferTheFilesOfAnotherKindAndSayWhatItUnderstands() throws IOException {
        Path folder = folder("README.txt", "about");
        assertThatThrownBy(() -> read(folder, options("", 1)))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessageContaining("texts: one or more .txt files in UTF-8");
        Files.createDirectories(folder.resolve("train"));
        folder("classes.txt", "cat");
        assertThatThrownBy(() -> read(folder, FolderOptions.NONE))
                .isInstanceOf(InvalidDatasetException.class)
                .hasMessageContaining("train has no folder; it must have one for each class");
    }

    @Test
    void shouldReadShakespeare() throws IOException {
        TextDataset dataset = read(SharedData.require("data/tinyshakespeare"), FolderOptions.NONE);

        assertThat(dataset.name()).isEqualTo("tinyshakespeare");
        assertThat(dataset.schema().tokenizer().vocabulary()).isEqualTo(65);
        assertThat(dataset.train().count()).isEqualTo(15_684);
        assertThat(dataset.test().tokens().count()).isEqualTo(111_539);
    }
}
