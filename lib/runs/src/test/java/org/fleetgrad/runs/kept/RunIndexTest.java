package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunIndexTest {

    @TempDir
    private Path folder;

    private Path runs = Path.of("");
    private RunIndex index = new RunIndex(Path.of(""), SmallFiles.ON_DISK);

    @BeforeEach
    void open() {
        runs = folder.resolve("runs");
        index = new RunIndex(runs, SmallFiles.ON_DISK);
    }

    @Test
    void shouldKnowFoldersOfItsOwnWithoutAnEntryAndThoseElsewhereByOne() throws Exception {
        assertThat(index.folders()).isEmpty();
        Path own = Files.createDirectories(runs.resolve("20260102"));
        Path other = Files.createDirectories(folder.resolve("elsewhere/größe\nx"));

        index.add(own);
        index.add(other);
        index.add(other);

        assertThat(index.folders()).containsExactly(own, other);
        assertThat(entries()).hasSize(1);
        index.forget(other);
        index.forget(other);
        assertThat(index.folders()).containsExactly(own);
    }

    /** Whatever a writer left of an entry, the others are known, and no other folder is taken for the entry's. */
    @Test
    void shouldKnowTheOthersWhenAnEntryIsTornAtAnyByte() throws Exception {
        Path whole = Path.of("/data/run-12");
        Path torn = Path.of("/data/run-1");
        index.add(whole);
        index.add(torn);
        Path entry = entries().stream()
                .filter(each -> read(each).equals(torn.toString()))
                .findFirst()
                .orElseThrow();
        byte[] bytes = Files.readAllBytes(entry);
        for (int length = 0; length < bytes.length; length++) {
            Files.write(entry, Arrays.copyOf(bytes, length));
            assertThat(index.folders()).containsExactly(whole);
        }
        Files.write(entry, new byte[100_000]);
        assertThat(index.folders()).containsExactly(whole);

        index.add(torn);

        assertThat(index.folders()).containsExactlyInAnyOrder(whole, torn);
    }

    @Test
    void shouldLoseNoFolderOfWritersAtTheSameTime() throws Exception {
        int writers = 8;
        int each = 25;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        List<Callable<Void>> jobs = new ArrayList<>();
        for (int i = 0; i < writers; i++) {
            String name = "/elsewhere/%d-".formatted(i);
            jobs.add(() -> {
                RunIndex own = new RunIndex(runs, SmallFiles.ON_DISK);
                for (int j = 0; j < each; j++) {
                    own.add(Path.of(name + j));
                    // Two commands may add and remove the same folder.
                    own.add(Path.of("/elsewhere/shared"));
                    own.forget(Path.of("/elsewhere/shared"));
                    assertThat(own.folders()).contains(Path.of(name + j));
                }
                return null;
            });
        }
        for (Future<Void> job : threads.invokeAll(jobs)) {
            job.get();
        }
        threads.shutdown();
        index.add(Path.of("/elsewhere/shared"));

        assertThat(index.folders()).hasSize(writers * each + 1);
    }

    @Test
    @Tag("whole")
    void shouldKnowEveryAddedFolderWhenWritersAreKilled() throws Exception {
        for (int i = 0; i < 6; i++) {
            Process writer = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            IndexWriter.class.getName(),
                            runs.toString(),
                            "writer" + i)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            List<Path> added = new ArrayList<>();
            try (var lines = writer.inputReader()) {
                for (int j = 0; j < 20 + i; j++) {
                    added.add(Path.of(lines.readLine()));
                }
                writer.destroyForcibly().waitFor();
            }

            assertThat(index.folders()).containsAll(added);
            index.add(Path.of("/elsewhere/after-" + i));
        }
        assertThat(index.folders()).hasSizeGreaterThanOrEqualTo(6 * 21);
    }

    @Test
    void shouldFindRunsElsewhereAgainWhenItIsMadeAnew() throws Exception {
        Path known = ExampleFacts.write(folder.resolve("disk/known"), ExampleFacts.of("known"));
        Path beside = ExampleFacts.write(folder.resolve("disk/beside"), ExampleFacts.of("beside"));
        Path deep = ExampleFacts.write(folder.resolve("data/a/b/deep"), ExampleFacts.of("deep"));
        Path own = ExampleFacts.write(runs.resolve("own"), ExampleFacts.of("own"));
        Path noRun = Files.createDirectories(folder.resolve("disk/no-run"));
        index.add(known);
        index.add(Path.of("/elsewhere/gone"));
        Path unfinished = runs.resolve(".index").resolve("f".repeat(64));
        Files.writeString(unfinished, "/torn");

        int count = index.rebuild(List.of(folder.resolve("data"), folder.resolve("nowhere")), KeptRuns::isRun);

        assertThat(count).isEqualTo(3);
        assertThat(index.folders())
                .containsExactlyInAnyOrder(own, known, beside, deep)
                .doesNotContain(noRun);
        assertThat(unfinished).doesNotExist();
    }

    private List<Path> entries() throws Exception {
        try (Stream<Path> listed = Files.list(runs.resolve(".index"))) {
            return listed.toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (Exception unreadable) {
            throw new AssertionError(unreadable);
        }
    }
}
