package org.fleetgrad.e2e.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Test;

/** Hours with hundreds of workers that come and go, while servers are killed: {@code ./mvnw -q -Psoak verify}. */
class SoakSuite {

    @Test
    void shouldLoseAndLeakNothingWhileWorkersComeAndGoAndServersAreKilled() throws Exception {
        SoakPlan plan = SoakPlan.ofProperties();
        SoakTally tally = new SoakTally(Workforce.DESKS);
        Path folder = RepositoryRoot.path().resolve("e2e/target/soak");
        // Left by an earlier soak that failed.
        deleteIfThere(folder);
        Files.createDirectories(folder);
        Soak soak = new Soak(plan, tally, folder);
        List<String> failures = new ArrayList<>();
        try (soak) {
            soak.run();
        } catch (Exception | AssertionError failed) {
            tally.failed("the soak ended with " + failed);
        } finally {
            failures.addAll(tally.failures());
            failures.addAll(soak.growth());
            failures.forEach(System.out::println);
            System.out.println(soak);
        }

        assertThat(failures).as("the servers' logs are in %s", folder).isEmpty();
        assertThat(tally.kills()).isPositive();
        deleteIfThere(folder);
    }

    private static void deleteIfThere(Path folder) throws IOException {
        if (Files.exists(folder)) {
            FolderTree.delete(folder);
        }
    }
}
