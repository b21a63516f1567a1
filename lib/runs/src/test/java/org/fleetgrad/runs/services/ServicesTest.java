package org.fleetgrad.runs.services;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.place.LocalPlace;
import org.fleetgrad.runs.process.Ports;
import org.fleetgrad.runs.process.ProcessGroup;
import org.fleetgrad.runs.process.SilentPrograms;
import org.fleetgrad.runs.settings.ExampleSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs whose programs are {@link FakeProgram}s, and whose ports conflict with others. */
@Tag("whole")
class ServicesTest {

    @TempDir
    private Path home;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void buildPrograms() throws Exception {
        for (String module : List.of("ps-service", "inference-api", "worker-action")) {
            FakeProgram.buildInto(home, module);
        }
    }

    @AfterEach
    void stopThreads() {
        threads.shutdownNow();
    }

    @Test
    void shouldStartBothOfTwoRunsThatChooseTheSamePorts() throws Exception {
        ServicePorts contended = new ServicePorts(List.of(Ports.free()), Ports.free());
        try (ProcessGroup one = programs("one");
                ProcessGroup two = programs("two")) {
            Future<Services> first = threads.submit(start(one, "one", contended));
            Future<Services> second = threads.submit(start(two, "two", contended));

            assertThat(generationOf(first.get())).isEqualTo("one");
            assertThat(generationOf(second.get())).isEqualTo("two");
            assertThat(first.get().servers()).isNotEqualTo(second.get().servers());
            assertThat(first.get().inference()).isNotEqualTo(second.get().inference());
            assertThat(told)
                    .isNotEmpty()
                    .allMatch(
                            line -> line.matches(
                                    "another program took 127\\.0\\.0\\.1:\\d+ in the meantime: starting the services again on other ports"));
        }
    }

    @Test
    void shouldTakeOtherPortsWhenTheChosenOneWasTakenMeanwhile() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ProcessGroup programs = programs("one")) {
            Services services = start(programs, "one", new ServicePorts(List.of(other.getLocalPort()), Ports.free()))
                    .call();

            assertThat(generationOf(services)).isEqualTo("one");
            assertThat(told).hasSize(1).first().asString().contains("took 127.0.0.1:" + other.getLocalPort());
        }
    }

    @Test
    void shouldStopTryingWhenEveryPortIsTaken() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ProcessGroup programs = programs("one")) {
            ServicePorts taken = new ServicePorts(List.of(other.getLocalPort()), Ports.free());

            assertThatThrownBy(() ->
                            Services.start(programs, plan(programs, "one"), told::add, (servers, attempt) -> taken))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("other programs took the services' ports 5 times, at last 127.0.0.1:"
                            + other.getLocalPort());
            assertThat(told).hasSize(4);
        }
    }

    @Test
    void shouldFailAtOnceWhenAProgramEndsForAnotherReason() throws Exception {
        Files.writeString(home.resolve("ps-service/target/ps-service.jar"), "no jar");
        try (ProcessGroup programs = programs("one")) {
            ServicePorts free = new ServicePorts(List.of(Ports.free()), Ports.free());

            assertThatThrownBy(start(programs, "one", free)::call)
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageStartingWith("ps-service ended with code 1; its log ");
            assertThat(told).isEmpty();
        }
    }

    @Test
    void shouldTellATakenPortFromAnAddressOfAnotherMachine() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(Ports.isTaken(new InetSocketAddress(other.getInetAddress(), other.getLocalPort())))
                    .isTrue();
        }
        assertThat(Ports.isTaken(new InetSocketAddress("192.0.2.1", 29500))).isFalse();
        assertThat(Ports.isTaken(InetSocketAddress.createUnresolved("nowhere.invalid", 29500)))
                .isFalse();
    }

    private ProcessGroup programs(String run) {
        return SilentPrograms.of(home, home.resolve("logs-" + run));
    }

    private static ServicePlan plan(ProcessGroup programs, String run) {
        return new ServicePlan(
                ExampleSettings.of(Optional.empty(), 1),
                List.of(Map.of("RUN", run)),
                Path.of("test.tar.gz"),
                OptionalDouble.empty(),
                new LocalPlace(programs),
                Map.of(),
                Optional.empty());
    }

    /** Chooses the given ports first, and then free ones. */
    private Callable<Services> start(ProcessGroup programs, String run, ServicePorts first) {
        return () -> Services.start(
                programs,
                plan(programs, run),
                told::add,
                (servers, attempt) -> attempt == 1 ? first : new ServicePorts(List.of(Ports.free()), Ports.free()));
    }

    private static String generationOf(Services services) throws Exception {
        services.awaitUp(1);
        return services.ask(PsClient::version).generation();
    }
}
