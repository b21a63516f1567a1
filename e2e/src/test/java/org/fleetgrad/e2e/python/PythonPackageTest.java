package org.fleetgrad.e2e.python;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.testing.Python;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The package {@code fleetgrad} of Python: it can be installed, its own tests pass, and it orders samples as Java does. */
@Tag("whole")
class PythonPackageTest {

    /** Without an index: what is installed is this checkout's, with the setuptools that are there. */
    private static final String INSTALL_AND_TEST = """
            import os, subprocess, sys
            source, target = sys.argv[1:]
            pip = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-index", "--no-build-isolation"]
            subprocess.run([*pip, "--root-user-action", "ignore", "--target", target, source], check=True)
            os.rename(os.path.join(source, "fleetgrad"), os.path.join(source, "not-this-one"))
            tests = [sys.executable, "-B", "-W", "ignore", "-m", "unittest", "discover", "-s", "tests", "-t", "."]
            subprocess.run(tests, check=True, cwd=source, env={**os.environ, "PYTHONPATH": target})
            """;

    private static final String ORDERS = """
            import sys
            sys.path.insert(0, sys.argv[1])
            from fleetgrad.sampling import order
            for count, seed, epoch in [line.split(",") for line in sys.argv[2].split()]:
                print(*order(int(count), int(seed), int(epoch)))
            """;

    private static final int[][] EPOCHS = {
        {1, 0, 0}, {2, 0, 0}, {1000, 0, 0}, {1000, 0, 1}, {999, 5, 7}, {60, 2147483647, 1_000_000_000}
    };

    @TempDir
    private Path folder;

    @Test
    void shouldPassItsOwnTestsWhereItIsInstalled() throws IOException {
        Path source = folder.resolve("python");
        copy(RepositoryRoot.path().resolve("python"), source);

        String said = Python.runWithSetuptools(
                INSTALL_AND_TEST, source.toString(), folder.resolve("installed").toString());

        assertThat(said).containsPattern("Ran \\d{2,} tests").endsWith("OK\n");
    }

    @Test
    void shouldTakeSamplesInTheOrderOfTheWorkersInJava() {
        String wanted = Arrays.stream(EPOCHS)
                .map(each -> "%d,%d,%d".formatted(each[0], each[1], each[2]))
                .collect(Collectors.joining(" "));

        String printed =
                Python.run(ORDERS, RepositoryRoot.path().resolve("python").toString(), wanted);

        assertThat(printed.lines())
                .containsExactlyElementsOf(Arrays.stream(EPOCHS)
                        .map(each -> IntStream.of(new BatchSampler(each[0], each[0], each[1])
                                        .epoch(each[2])
                                        .batch(0))
                                .mapToObj(Integer::toString)
                                .collect(Collectors.joining(" ")))
                        .toList());
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file :
                    (Iterable<Path>) files.filter(each -> !each.toString().contains("__pycache__"))::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }
}
