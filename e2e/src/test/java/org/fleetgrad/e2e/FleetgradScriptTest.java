package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script {@code ./fleetgrad} in a checkout of its own, with a build and a Java that only note that they ran. */
@Tag("whole")
class FleetgradScriptTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String WAITING = "fleetgrad: another build is running (process ";

    /** Notes each build, and each one that began before another ended; ends when the test says so. */
    private static final String BUILD = """
            #!/usr/bin/env bash
            mkdir building || echo overlap >> overlaps
            echo $$ >> builds
            until [ -e go ]; do sleep 0.05; done
            rmdir building
            if [ -e broken ]; then echo "no such module"; exit 1; fi
            mkdir -p fleetgrad-cli/target
            """;

    @TempDir
    private Path home;

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void checkOut() throws IOException {
        script("fleetgrad", Files.readString(RepositoryRoot.path().resolve("fleetgrad")));
        script(".mvn/one-build", Files.readString(RepositoryRoot.path().resolve(".mvn/one-build")));
        script("mvnw", BUILD);
        script("jdk/bin/java", "#!/usr/bin/env bash\necho \"ran ${@: -1}\"\n");
        Files.createDirectories(home.resolve("module/src/main"));
        Files.writeString(home.resolve("module/src/main/Source.java"), "");
    }

    @AfterEach
    void endProcesses() throws IOException {
        letBuildsEnd();
        processes.forEach(process -> {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        });
    }

    @Test
    void shouldBuildOnceForTwoFirstUsesAtOnce() throws Exception {
        Process first = start("first");
        await().atMost(PATIENCE).until(() -> builds() == 1);
        Process second = start("second");
        await().atMost(PATIENCE).until(() -> err("second").contains(WAITING));

        letBuildsEnd();

        assertThat(exitOf(first)).as(err("first")).isZero();
        assertThat(exitOf(second)).as(err("second")).isZero();
        assertThat(out("first")).isEqualTo("ran first");
        assertThat(out("second")).isEqualTo("ran second");
        assertThat(err("second"))
                .matches("fleetgrad: another build is running \\(process %d\\); waiting\\. If there is none, remove %s"
                        .formatted(first.pid(), home.resolve(".fleetgrad-build")));
        assertBuilds(1);
    }

    @Test
    void shouldBuildOnceForManyWhoFindTheLockOfOneThatWasKilled() throws Exception {
        Files.createSymbolicLink(home.resolve(".fleetgrad-build"), Path.of("999999.999999.1"));
        letBuildsEnd();
        List<Process> many = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            many.add(start("many-" + i));
        }

        for (Process one : many) {
            assertThat(exitOf(one)).isZero();
        }
        assertBuilds(1);
    }

    @Test
    void shouldTakeOverFromABuilderThatWasKilled() throws Exception {
        Process first = start("first");
        await().atMost(PATIENCE).until(() -> builds() == 1);
        List<ProcessHandle> build = first.descendants().toList();
        first.destroyForcibly().waitFor();
        build.forEach(ProcessHandle::destroyForcibly);
        Files.delete(home.resolve("building"));
        letBuildsEnd();

        assertThat(exitOf(start("second"))).as(err("second")).isZero();
        assertBuilds(2);
    }

    @Test
    void shouldSayThatAnotherFileHasTheNameOfTheLock() throws Exception {
        Files.writeString(home.resolve(".fleetgrad-build"), "");

        assertThat(exitOf(start("first"))).isEqualTo(4);
        assertThat(err("first"))
                .isEqualTo("fleetgrad: the programs are not built, and %s cannot be made: there is another file of this"
                                .formatted(home.resolve(".fleetgrad-build"))
                        + " name; remove it");
        Files.delete(home.resolve(".fleetgrad-build"));
    }

    @Test
    void shouldWaitForABuildWhoseScriptWasKilled() throws Exception {
        Process first = start("first");
        await().atMost(PATIENCE).until(() -> builds() == 1);
        first.destroyForcibly().waitFor();
        Process second = start("second");
        await().atMost(PATIENCE).until(() -> err("second").contains(WAITING));

        letBuildsEnd();

        assertThat(exitOf(second)).as(err("second")).isZero();
        assertBuilds(2);
    }

    @Test
    void shouldBuildAgainAfterASourceWasEditedDuringTheBuild() throws Exception {
        Process first = start("first");
        await().atMost(PATIENCE).until(() -> builds() == 1);
        Files.writeString(home.resolve("module/src/main/Source.java"), "edited");
        letBuildsEnd();
        assertThat(exitOf(first)).as(err("first")).isZero();

        assertThat(exitOf(start("second"))).as(err("second")).isZero();
        assertThat(exitOf(start("third"))).as(err("third")).isZero();

        assertBuilds(2);
    }

    @Test
    void shouldEndTheBuildWhenItIsTerminated() throws Exception {
        Process first = start("first");
        await().atMost(PATIENCE).until(() -> builds() == 1);
        List<ProcessHandle> build = first.descendants().toList();

        first.destroy();

        assertThat(exitOf(first)).isEqualTo(143);
        await().atMost(PATIENCE).until(() -> build.stream().noneMatch(ProcessHandle::isAlive));
        assertThat(home.resolve(".fleetgrad-build")).doesNotExist();
    }

    @Test
    void shouldSayWhyTheBuildFailedAndLetTheNextTryAgain() throws Exception {
        Files.writeString(home.resolve("broken"), "");
        letBuildsEnd();

        assertThat(exitOf(start("first"))).isEqualTo(4);
        assertThat(err("first")).contains("fleetgrad: the build failed:").endsWith("no such module");

        Files.delete(home.resolve("broken"));
        assertThat(exitOf(start("second"))).as(err("second")).isZero();
        assertThat(out("second")).isEqualTo("ran second");
        assertBuilds(2);
    }

    private void assertBuilds(int count) throws IOException {
        assertThat(builds()).isEqualTo(count);
        assertThat(home.resolve("overlaps")).doesNotExist();
        try (var files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith(".fleetgrad"));
        }
    }

    private void script(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String name) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(home.resolve("fleetgrad").toString(), name)
                .directory(home.toFile())
                .redirectOutput(home.resolve(name + ".out").toFile())
                .redirectError(home.resolve(name + ".err").toFile());
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static int exitOf(Process process) throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return process.exitValue();
    }

    private void letBuildsEnd() throws IOException {
        if (!Files.exists(home.resolve("go"))) {
            Files.createFile(home.resolve("go"));
        }
    }

    private int builds() throws IOException {
        Path file = home.resolve("builds");
        return Files.exists(file) ? Files.readAllLines(file).size() : 0;
    }

    private String out(String name) throws IOException {
        return Files.readString(home.resolve(name + ".out")).strip();
    }

    private String err(String name) throws IOException {
        return Files.readString(home.resolve(name + ".err")).strip();
    }
}
