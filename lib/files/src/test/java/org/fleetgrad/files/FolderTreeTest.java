package org.fleetgrad.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderTreeTest {

    @TempDir
    private Path folder;

    @Test
    void shouldDeleteWhatIsInAFolderAndLinksButNotWhatTheyPointTo() throws IOException {
        Path kept = Files.createDirectories(folder.resolve("kept"));
        Files.writeString(kept.resolve("a"), "a");
        Path tree = Files.createDirectories(folder.resolve("tree/one/two"));
        Files.writeString(tree.resolve("b"), "b");
        Files.createSymbolicLink(tree.resolve("link"), kept);
        Files.createSymbolicLink(tree.resolve("dangling"), folder.resolve("nowhere"));

        FolderTree.delete(folder.resolve("tree"));

        assertThat(folder.resolve("tree")).doesNotExist();
        assertThat(kept.resolve("a")).hasContent("a");
    }

    @Test
    void shouldDeleteAFileOrALinkToAFolderByItself() throws IOException {
        Path kept = Files.createDirectories(folder.resolve("kept"));
        Path link = Files.createSymbolicLink(folder.resolve("link"), kept);
        Path file = Files.writeString(folder.resolve("file"), "x");

        FolderTree.delete(link);
        FolderTree.delete(file);

        assertThat(kept).exists();
        assertThat(folder).isDirectoryNotContaining("glob:**{link,file}");
    }

    @Test
    void shouldTakeWhatIsGoneForDeleted() {
        assertThatCode(() -> FolderTree.delete(folder.resolve("absent"))).doesNotThrowAnyException();
    }
}
