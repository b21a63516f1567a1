package org.fleetgrad.runs.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.runs.device.ExampleGpus;
import org.fleetgrad.runs.invoker.ActivationOutcome.Answered;
import org.fleetgrad.runs.invoker.Invoker;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.SilentPrograms;
import org.fleetgrad.runs.services.FakeProgram;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What worker processes are asked, and the libtorch that they would load. */
@Tag("whole")
class LocalPlaceTest {

    private static final ServerAddresses SERVER = ServerAddresses.parse("servers", "http://127.0.0.1:29500");

    @TempDir
    private Path home;

    @BeforeEach
    void buildWorker() throws Exception {
        FakeProgram.buildInto(home, "worker-action");
    }

    @Test
    void shouldGiveWorkersTheGpusInTurnAndTheirLibrary() throws Exception {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            LocalPlace place = new LocalPlace(
                    programs,
                    ExampleGpus.of("cuda:2,cuda:0", "0", "1", "2"),
                    Map.of("PYTORCH_LIBRARY_PATH", "/cuda/natives"));

            assertThat(asked(place, 3))
                    .containsExactly("cuda:2 /cuda/natives", "cuda:0 /cuda/natives", "cuda:2 /cuda/natives");
        }
    }

    @Test
    void shouldLeaveWorkersOnTheProcessorTheLibraryOfTheirClassPath() throws Exception {
        try (ProcessGroup programs = SilentPrograms.of(home, home.resolve("logs"))) {
            assertThat(asked(new LocalPlace(programs), 2)).containsExactly("cpu null", "cpu null");
        }
    }

    private static List<String> asked(LocalPlace place, int workers) throws Exception {
        List<String> asked = new ArrayList<>();
        for (Invoker worker : place.workers(ExampleSettings.of(Optional.empty(), workers), SERVER)) {
            Answered answered = (Answered) worker.invoke(worker.name());
            asked.add("%s %s"
                    .formatted(
                            answered.answer().at("/asked/value/device").asString(),
                            answered.answer().path("library").asString()));
            worker.release();
        }
        return asked;
    }
}
