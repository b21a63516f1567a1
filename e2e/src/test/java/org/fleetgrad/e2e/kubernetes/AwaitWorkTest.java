package org.fleetgrad.e2e.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.fleetgrad.e2e.kubernetes.Kustomize.Ended;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The script that waits for the work, with a command in place of kubectl that answers from files. */
@Timeout(60)
class AwaitWorkTest {

    @TempDir
    private Path folder;

    @BeforeEach
    void replaceKubectl() throws Exception {
        Path command = folder.resolve("kubectl");
        // get job NAME -o …: the conditions of the job; logs …: something.
        Files.writeString(command, """
                #!/bin/sh
                case $1 in
                get) cat "%1$s/$3" ;;
                logs) echo "it ran out of luck ($*)" ;;
                esac
                """.formatted(folder));
        assertThat(command.toFile().setExecutable(true)).isTrue();
        conditions("dataset", "");
        conditions("worker", "");
    }

    @Test
    void shouldEndWhenAllWorkIsDone() throws Exception {
        conditions("dataset", "SuccessCriteriaMet Complete");
        conditions("worker", "SuccessCriteriaMet Complete");

        assertThat(await()).isEqualTo(new Ended(0, "all work is done\n"));
    }

    @Test
    void shouldEndAtOnceWhenWorkersFailed() throws Exception {
        conditions("worker", "FailureTarget Failed");

        Ended ended = await();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out()).contains("the job worker failed").contains("it ran out of luck");
    }

    @Test
    void shouldEndAtOnceWhenTheDatasetFailed() throws Exception {
        conditions("dataset", "Failed");

        Ended ended = await();

        assertThat(ended.code()).isEqualTo(1);
        assertThat(ended.out())
                .contains("the job dataset failed")
                .contains("logs --tail=5 --prefix -l app.kubernetes.io/name=dataset");
    }

    @Test
    void shouldNotTakeAFailureThatIsComingForOneThatIs() throws Exception {
        conditions("worker", "FailureTarget");

        assertThat(await()).isEqualTo(new Ended(2, "await-work: the job worker has not ended after 0 s\n"));
    }

    @Test
    void shouldSayThatThereIsNoSuchJob() throws Exception {
        Files.delete(folder.resolve("dataset"));

        assertThat(await().code()).isEqualTo(1);
    }

    @Test
    void shouldRefuseATimeThatIsNone() throws Exception {
        assertThat(Kustomize.run(folder, script(), "soon"))
                .isEqualTo(new Ended(2, "await-work: 'soon' is no number of seconds\n"));
    }

    private void conditions(String job, String conditions) throws Exception {
        Files.writeString(folder.resolve(job), conditions);
    }

    private static String script() {
        return Manifests.FOLDER.resolve("await-work").toString();
    }

    private Ended await() throws Exception {
        return Kustomize.run(folder, "env", "KUBECTL=" + folder.resolve("kubectl"), script(), "0");
    }
}
