package org.fleetgrad.runs.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.runs.output.RunFailedException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunRemovalTest {

    @TempDir
    private Path folder;

    private KeptRuns runs = KeptRuns.in(Path.of(""));

    @BeforeEach
    void name() {
        runs = KeptRuns.in(folder.resolve("runs"));
    }

    private KeptRun run(String at, RunFacts facts) throws Exception {
        Path own = ExampleFacts.write(folder.resolve(at), facts);
        Files.writeString(
                Files.createDirectories(own.resolve("checkpoints/checkpoint-000001"))
                        .resolve("x"),
                "x");
        Files.writeString(own.resolve("model.safetensors"), "x");
        runs.index().add(own);
        return runs.look(own).orElseThrow();
    }

    @Test
    void shouldRemoveAFolderAndTakeLinksForWhatTheyAre() throws Exception {
        Path precious = Files.writeString(
                Files.createDirectories(folder.resolve("precious")).resolve("file"), "kept");
        KeptRun run = run("runs/a", ExampleFacts.of("first"));
        Files.createSymbolicLink(run.folder().resolve("link"), precious.getParent());
        Files.createSymbolicLink(run.folder().resolve("checkpoints/link"), precious.getParent());
        Files.createSymbolicLink(run.folder().resolve("loop"), run.folder());
        Files.createSymbolicLink(run.folder().resolve("dangling"), folder.resolve("nowhere"));

        new RunRemoval(runs).remove(run);

        assertThat(run.folder()).doesNotExist();
        assertThat(precious).hasContent("kept");
    }

    @Test
    void shouldLeaveWhatNoRunWritesInAFolderThatTheUserNamed() throws Exception {
        KeptRun run = run("home/work", ExampleFacts.of("first"));
        Files.writeString(run.folder().resolve("thesis.tex"), "years");
        RunRemoval removal = new RunRemoval(runs);
        assertThat(removal.others(run)).containsExactly("thesis.tex");

        removal.remove(run);

        assertThat(run.folder()).isDirectoryContaining("glob:**/thesis.tex");
        assertThat(run.folder()).isDirectoryNotContaining("glob:**/{run.json,model.safetensors,checkpoints}");
        assertThat(runs.all()).isEmpty();
        assertThat(runs.index().folders()).isEmpty();
    }

    @Test
    void shouldRefuseARunningOneALinkAndWhatIsNoRun() throws Exception {
        RunRemoval removal = new RunRemoval(runs);
        KeptRun running = run("runs/a", ExampleFacts.running("first", RunProcess.current()));
        assertRefused(removal, running, "first is running: fleetgrad runs stop first ends it first");

        KeptRun elsewhere = run("runs/b", ExampleFacts.running("second", new RunProcess(7, "1", "other-host")));
        assertRefused(removal, elsewhere, "second may be running on other-host");

        Path target = run("data/c", ExampleFacts.of("third")).folder();
        Files.createSymbolicLink(folder.resolve("runs/c"), target);
        assertRefused(removal, runs.look(folder.resolve("runs/c")).orElseThrow(), "is a link to a folder");

        KeptRun gone = run("runs/d", ExampleFacts.of("fourth"));
        Files.delete(gone.folder().resolve("run.json"));
        assertRefused(removal, gone, "is no folder of a run any longer");
        assertThat(gone.folder().resolve("model.safetensors")).exists();
    }

    /** It was listed as ended, and continues since then. */
    @Test
    void shouldLookOnceMoreBeforeItRemoves() throws Exception {
        KeptRun listed = run("runs/a", ExampleFacts.of("first"));
        ExampleFacts.write(listed.folder(), ExampleFacts.running("first", RunProcess.current()));

        assertRefused(new RunRemoval(runs), listed, "first is running");
    }

    private static void assertRefused(RunRemoval removal, KeptRun run, String message) {
        assertThatThrownBy(() -> removal.remove(run))
                .isInstanceOf(RunFailedException.class)
                .hasMessageContaining(message);
        assertThat(run.folder()).exists();
    }
}
