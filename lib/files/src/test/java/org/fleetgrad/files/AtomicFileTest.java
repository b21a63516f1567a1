package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AtomicFileTest {

    @TempDir
    private Path folder;

    @Test
    void shouldReplaceTheOldContentAndLeaveNothingBeside() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "old and longer".getBytes(StandardCharsets.UTF_8));

        AtomicFile.write(file, "new".getBytes(StandardCharsets.UTF_8));

        assertThat(file).hasContent("new");
        assertThat(folder).isDirectoryContaining(found -> found.equals(file));
        assertThat(folder.toFile().list()).containsExactly("a.txt");
    }

    @Test
    void shouldKeepTheOldContentWhenWritingFails() throws IOException {
        Path file = folder.resolve("a.txt");
        AtomicFile.write(file, "old".getBytes(StandardCharsets.UTF_8));

        assertThatThrownBy(() -> AtomicFile.write(file, out -> {
                    out.write(new byte[1 << 20]);
                    throw new IOException("the disk is full");
                }))
                .hasMessage("the disk is full");

        assertThat(file).hasContent("old");
        assertThat(folder.toFile().list()).containsExactly("a.txt");
    }

    @Test
    void shouldKnowItsOwnUnfinishedFilesAlone() throws IOException {
        AtomicFile.write(folder.resolve("a.txt"), out -> {
            String[] names = folder.toFile().list();
            assertThat(names).hasSize(1);
            assertThat(AtomicFile.isUnfinished(String.valueOf(names[0]))).isTrue();
        });
        assertThat(List.of(
                        "a.txt", ".a.txt", ".tmp", ".a.txt.tmp", ".a.txt.123.tmp", "a." + UUID.randomUUID() + ".tmp"))
                .noneMatch(AtomicFile::isUnfinished);
    }

    @Test
    void shouldFailWhereTheFolderIsMissing() {
        assertThatThrownBy(() -> AtomicFile.write(folder.resolve("missing/a.txt"), new byte[1]))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldDigestAsTheStandardSays() throws IOException {
        // FIPS 180-2, appendix B.1.
        String abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        Path file = Files.writeString(folder.resolve("abc"), "abc");

        assertThat(Sha256.of(file)).isEqualTo(abc);
        assertThat(Sha256.of(ByteBuffer.wrap("abc".getBytes(StandardCharsets.UTF_8))))
                .isEqualTo(abc);
        assertThat(Sha256.isDigest(abc)).isTrue();
        assertThat(Sha256.isDigest(abc.substring(1))).isFalse();
        assertThat(Sha256.isDigest(abc.replace('b', 'B'))).isFalse();
    }
}
