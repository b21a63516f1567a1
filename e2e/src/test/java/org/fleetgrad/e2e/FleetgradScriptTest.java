package org.fleetgrad.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The script {@code ./fleetgrad} in a checkout of its own, with a build and a Java that only note that they ran. */
@Tag("whole")
class FleetgradScriptTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final String WAITING = "fleetgrad: another build is running (process ";

    /** Notes each build, and each one that began before another ended; ends when the test says so. */
    private static final String BUILD = """
            #!/usr/bin/env bash
            mkdir building || echo overlap >> overlaps
            echo $$ >> builds
            until [ -e go ]; do sleep 0.05; done
            rmdir building
            if [ -e broken ]; then echo broken >ps-service/target/ps-service.jar; echo "no such module"; exit 1; fi
            case "$*" in *-Pbench*) ;; *benchmarks*) echo "Could not find the selected project in the reactor"; exit 1 ;; esac
            while [ "$1" != -pl ]; do shift; done
            for module in ${2//,/ }; do
              mkdir -p $module/target/lib
              # As Maven may: over what is there.
              echo "$module of build $(wc -l <builds | tr -d ' ')" >$module/target/$module.jar
              echo "libtorch" >$module/target/lib/libtorch.jar
            done
            """;

    /** Says what it runs; told to stay, it does so until the test says so, and then says what its jar and the server's are. */
    private static final String JAVA = """
            #!/usr/bin/env bash
            for word in "$@"; do case $word in -Dfleetgrad.programs=*) programs=${word#*=} ;; esac; done
            case "$*" in
              *ArchiveClassesAtExit*)
                if [ -e "$(dirname "$0")/archives-nothing" ]; then exit 4; fi
                for word in $*; do case $word in -XX:ArchiveClassesAtExit=*) echo classes >${word#*=} ;; esac; done ;;
              *) echo "$*" >>"$(dirname "$0")/runs" ;;
            esac
            echo "ran ${@: -1}"
            if [ "${@: -1}" = stay ]; then
              until [ -e leave ]; do sleep 0.05; done
              cat $programs/fleetgrad-cli/target/fleetgrad-cli.jar $programs/ps-service/target/ps-service.jar
            fi
            """;

    @TempDir
    private Path home;

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void checkOut() throws IOException {
        script("fleetgrad", Files.readString(RepositoryRoot.path().resolve("fleetgrad")));
        script(".mvn/one-build", Files.readString(RepositoryRoot.path().resolve(".mvn/one-build")));
        script("mvnw", BUILD);
        script(".mvn/programs", Files.readString(RepositoryRoot.path().resolve(".mvn/programs")));
        script("jdk/bin/java", JAVA);
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
        await().atMost(TIMEOUT).until(() -> builds() == 1);
        Process second = start("second");
        await().atMost(TIMEOUT).until(() -> err("second").contains(WAITING));

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
        await().atMost(TIMEOUT).until(() -> builds() == 1);
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
        await().atMost(TIMEOUT).until(() -> builds() == 1);
        first.destroyForcibly().waitFor();
        Process second = start("second");
        await().atMost(TIMEOUT).until(() -> err("second").contains(WAITING));

        letBuildsEnd();

        assertThat(exitOf(second)).as(err("second")).isZero();
        assertBuilds(2);
    }

    @Test
    void shouldBuildAgainAfterASourceWasEditedDuringTheBuild() throws Exception {
        Process first = start("first");
        await().atMost(TIMEOUT).until(() -> builds() == 1);
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
        await().atMost(TIMEOUT).until(() -> builds() == 1);
        List<ProcessHandle> build = first.descendants().toList();

        first.destroy();

        assertThat(exitOf(first)).isEqualTo(143);
        await().atMost(TIMEOUT).until(() -> build.stream().noneMatch(ProcessHandle::isAlive));
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

    @ParameterizedTest
    @ValueSource(
            strings = {"--help", "-h", "help", "--version", "evaluate --help", "help bench", "demo --workers 2 --help"})
    void shouldNotBuildForHelpWhateverIsThere(String words) throws Exception {
        assertThat(exitOf(start("never", words.split(" ")))).as(err("never")).isZero();
        assertThat(out("never")).contains("is not built yet");

        letBuildsEnd();
        for (String command : List.of("demo", "evaluate", "bench")) {
            assertThat(exitOf(start(command))).as(err(command)).isZero();
        }
        int builds = builds();
        editTheSource();
        String last = words.startsWith("help") ? "--help" : words.substring(words.lastIndexOf(' ') + 1);

        assertThat(exitOf(start("stale", words.split(" ")))).as(err("stale")).isZero();
        assertThat(out("stale")).isEqualTo("ran " + last);
        assertThat(builds()).isEqualTo(builds);
    }

    @Test
    void shouldLeaveTheFilesOfARunningProgramAlone() throws Exception {
        letBuildsEnd();
        Process running = start("stay");
        await().atMost(TIMEOUT).until(() -> out("stay").equals("ran stay"));
        for (int build = 2; build <= 4; build++) {
            editTheSource();
            assertThat(exitOf(start("build-" + build)))
                    .as(err("build-" + build))
                    .isZero();
        }
        assertBuilds(4);
        // The one that runs, the last, and the newest; the second build's are gone.
        assertThat(installed()).hasSize(3);

        Files.createFile(home.resolve("leave"));

        assertThat(exitOf(running)).isZero();
        assertThat(out("stay").lines())
                .containsExactly("ran stay", "fleetgrad-cli of build 1", "ps-service of build 1");
    }

    @Test
    void shouldLeaveTheOldProgramsWhereABuildFailed() throws Exception {
        letBuildsEnd();
        assertThat(exitOf(start("first"))).as(err("first")).isZero();
        List<Path> before = installed();
        editTheSource();
        Files.createFile(home.resolve("broken"));

        assertThat(exitOf(start("second"))).isEqualTo(4);

        assertThat(installed()).isEqualTo(before);
        assertThat(before.get(0).resolve("ps-service/target/ps-service.jar")).hasContent("ps-service of build 1");
        assertThat(exitOf(start("third", "--help"))).as(err("third")).isZero();
        assertThat(out("third")).isEqualTo("ran --help");
    }

    @Test
    void shouldLeaveTheOldProgramsAndNoHalfWhereTheNewCannotBeCopied() throws Exception {
        letBuildsEnd();
        assertThat(exitOf(start("first"))).as(err("first")).isZero();
        List<Path> before = installed();
        editTheSource();
        // As with a full disk, cp fails: it copies no folder.
        Files.createDirectories(home.resolve("worker-action/target/lib/folder.jar"));

        assertThat(exitOf(start("second"))).isEqualTo(4);

        assertThat(err("second")).contains("fleetgrad: the new programs cannot be copied into ", "; the old ones stay");
        assertThat(installed()).isEqualTo(before);
        assertThat(home.resolve(".fleetgrad/programs/.half")).doesNotExist();
        assertThat(exitOf(start("third", "--help"))).as(err("third")).isZero();
    }

    @Test
    void shouldKeepALibraryOnceForAllProgramsAndBuilds() throws Exception {
        letBuildsEnd();
        assertThat(exitOf(start("first"))).as(err("first")).isZero();
        editTheSource();
        assertThat(exitOf(start("second"))).as(err("second")).isZero();

        List<Object> files = new ArrayList<>();
        for (Path build : installed()) {
            for (String module : List.of("ps-service", "worker-action", "inference-api", "fleetgrad-cli")) {
                files.add(Files.getAttribute(build.resolve(module).resolve("target/lib/libtorch.jar"), "unix:ino"));
            }
        }
        assertThat(files).hasSize(8).containsOnly(files.get(0));
        // A build may write into it.
        assertThat(Files.getAttribute(home.resolve("ps-service/target/lib/libtorch.jar"), "unix:ino"))
                .isNotEqualTo(files.get(0));
    }

    @Test
    void shouldRunEachProgramWithItsArchiveOfClasses() throws Exception {
        letBuildsEnd();
        assertThat(exitOf(start("first"))).as(err("first")).isZero();

        Path programs = installed().get(0);
        for (String module : List.of("ps-service", "worker-action", "inference-api", "fleetgrad-cli")) {
            Path archive = programs.resolve("classes").resolve(module + ".jsa");
            assertThat(archive).hasContent("classes");
            assertThat(programs.resolve("classes").resolve(module + ".options"))
                    .hasContent("\"-XX:SharedArchiveFile=%s\" -Xlog:cds=off -Xlog:cds+dynamic=off".formatted(archive));
        }
        assertThat(home.resolve("jdk/bin/runs"))
                .content()
                .contains(" @%s ".formatted(programs.resolve("classes/fleetgrad-cli.options")));
        assertThat(programs.resolve(".classes")).doesNotExist();
    }

    @Test
    void shouldRunWithoutAnArchiveThatCannotBeMade() throws Exception {
        Files.createFile(home.resolve("jdk/bin/archives-nothing"));
        letBuildsEnd();

        assertThat(exitOf(start("first"))).as(err("first")).isZero();
        assertThat(out("first")).isEqualTo("ran first");
        assertThat(err("first")).doesNotContain("classes");
        assertThat(installed().get(0).toFile().list()).noneMatch(name -> name.contains("classes"));
        assertThat(home.resolve("jdk/bin/runs")).content().doesNotContain(" @");
    }

    /** Makes the source newer than any build; the clocks of file systems tick slowly. */
    private void editTheSource() throws IOException {
        Files.setLastModifiedTime(
                home.resolve("module/src/main/Source.java"),
                FileTime.from(Instant.now().plusSeconds(60)));
    }

    private List<Path> installed() throws IOException {
        try (var files = Files.list(home.resolve(".fleetgrad/programs"))) {
            return files.filter(Files::isDirectory).sorted().toList();
        }
    }

    private void assertBuilds(int count) throws IOException {
        assertThat(builds()).isEqualTo(count);
        assertThat(home.resolve("overlaps")).doesNotExist();
        try (var files = Files.list(home)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .noneMatch(name -> name.startsWith(".fleetgrad-build"));
        }
    }

    private void script(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start(String name) throws IOException {
        return start(name, name);
    }

    private Process start(String name, String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("fleetgrad").toString()));
        command.addAll(List.of(words));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.toFile())
                .redirectOutput(home.resolve(name + ".out").toFile())
                .redirectError(home.resolve(name + ".err").toFile());
        builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private static int exitOf(Process process) throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
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
