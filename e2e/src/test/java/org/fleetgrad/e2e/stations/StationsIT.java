package org.fleetgrad.e2e.stations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.e2e.FleetgradProcess;
import org.fleetgrad.e2e.JarProcess;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.testing.FreePorts;
import org.fleetgrad.testing.RepositoryRoot;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many types a gradient and a prediction enter. In a run whose programs count calls, a type that is entered at least once for each
 * gradient, or for each prediction, is a station of its path. docs/architecture.md draws both paths, and has every station.
 */
@Order(5)
@Tag("whole")
class StationsIT {

    private static final Duration TIMEOUT = Duration.ofMinutes(4);
    /** With small batches, so that what polls by the clock is entered far less often than there are gradients. */
    private static final int SAMPLES = 16_000;

    private static final int BATCH = 8;
    private static final int PREDICTIONS = 1_000;
    /** What a JVM that SIGTERM ended in order exits with: 128 + 15. */
    private static final int ENDED_BY_SIGTERM = 143;

    /** The programs, and what they share; libraries of arithmetic and formats are tools that a station has. */
    private static final Pattern PROGRAMS =
            Pattern.compile("org\\.fleetgrad\\.(worker|client|ps|inference|serving|access|http|web)\\.");

    /** What looks at a run from time to time: status, history, metrics, and the requests for them. */
    private static final Pattern OBSERVERS = Pattern.compile(
            "org\\.fleetgrad\\.(web|worker\\.action|ps\\.(operation|events|evaluation|history|web\\.(control|filter|security|problem|request)))\\.");

    private static final Pattern CLASS =
            Pattern.compile("(?m)^(?:public |final |abstract |sealed |non-sealed )*class ");

    @TempDir
    private Path folder;

    @Test
    void shouldDrawEachStationOfAGradient() throws Exception {
        Path counts = Files.createDirectory(folder.resolve("counts"));
        List<String> agent = agent(counts);
        long gradients;
        try (FleetgradProcess train = FleetgradProcess.startWith(
                folder,
                Map.of("ps-service", agent, "worker-action", agent),
                "train",
                "--json",
                "--out",
                "run",
                "--workers",
                "1",
                "--batch-size",
                Integer.toString(BATCH),
                "--learning-rate",
                "0.001",
                "--train-samples",
                Integer.toString(SAMPLES),
                "--test-samples",
                "100",
                "--epochs",
                "1",
                "--target-accuracy",
                "1")) {
            assertThat(train.await(TIMEOUT)).as(train.stderr()).isZero();
            gradients = train.lastLineAsJson().path("version").asLong();
        }

        requireDrawn("gradient", stations(counts, gradients));
    }

    @Test
    void shouldDrawEachStationOfAPrediction() throws Exception {
        Path counts = Files.createDirectory(folder.resolve("counts"));
        URI server = URI.create("http://127.0.0.1:" + FreePorts.next());
        URI inference = URI.create("http://127.0.0.1:" + FreePorts.next());
        JarProcess ps = JarProcess.start(
                "ps-service",
                folder.resolve("ps-service.log"),
                Map.of("SERVER_PORT", Integer.toString(server.getPort())));
        JarProcess api = JarProcess.startAsShipped(
                agent(counts),
                "inference-api",
                folder.resolve("inference-api.log"),
                Map.of("SERVER_PORT", Integer.toString(inference.getPort()), "INFERENCE_SERVER", server.toString()));
        try {
            NetworkDefinition lenet = Networks.usual("lenet5");
            new PsClient(server, ClientOptions.DEFAULT.withRetryFor(TIMEOUT))
                    .putInitial(TensorSet.ofFloats(
                            lenet.spec().layout(),
                            lenet.initialParameters(1),
                            lenet.spec().metadata()));
            HttpClient http = HttpClient.newHttpClient();
            HttpRequest predict = HttpRequest.newBuilder(inference.resolve("/predict"))
                    .header("Content-Type", "application/json")
                    .timeout(Duration.ofMinutes(1))
                    .POST(HttpRequest.BodyPublishers.ofString(
                            "{\"image\":%s}".formatted(Arrays.toString(new int[28 * 28]))))
                    .build();
            // A prediction before there is a model takes the slow path: its stations are not to be counted.
            HttpRequest ready = HttpRequest.newBuilder(inference.resolve("/actuator/health/readiness"))
                    .timeout(Duration.ofMinutes(1))
                    .build();
            api.awaitUp(() -> status(http, ready) == 200);
            for (int i = 0; i < PREDICTIONS; i++) {
                assertThat(status(http, predict)).isEqualTo(200);
            }
            api.signal("TERM");
            assertThat(api.await(TIMEOUT)).isEqualTo(ENDED_BY_SIGTERM);
        } finally {
            api.kill();
            ps.kill();
        }

        requireDrawn("prediction", stations(counts, PREDICTIONS));
    }

    private static int status(HttpClient http, HttpRequest request) throws IOException, InterruptedException {
        return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private List<String> agent(Path counts) throws Exception {
        return List.of("-javaagent:%s=%s".formatted(StationsAgent.jar(folder.resolve("agent.jar")), counts));
    }

    /**
     * The classes that were entered at least as often as something came by; some of the first gradients take another path. A record,
     * an enum or a sealed interface is a value that a station has or hands on.
     */
    private static Set<String> stations(Path counts, long passed) throws IOException {
        Set<String> stations = new TreeSet<>();
        try (Stream<Path> files = Files.list(counts)) {
            for (Path file : files.toList()) {
                for (Map.Entry<String, Long> entered : EnteredTypes.read(file).entrySet()) {
                    String type = entered.getKey();
                    if (entered.getValue() >= 0.9 * passed
                            && PROGRAMS.matcher(type).lookingAt()
                            && !OBSERVERS.matcher(type).lookingAt()
                            && isClass(type)) {
                        stations.add(type);
                    }
                }
            }
        }
        return stations;
    }

    private static boolean isClass(String type) throws IOException {
        String path = "src/main/java/%s.java".formatted(type.replace('.', '/'));
        List<Path> modules = new ArrayList<>(folders(RepositoryRoot.path()));
        modules.addAll(folders(RepositoryRoot.path().resolve("lib")));
        Path source = modules.stream()
                .map(module -> module.resolve(path))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no module has " + path));
        return CLASS.matcher(Files.readString(source)).find();
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (Stream<Path> children = Files.list(parent)) {
            return children.toList();
        }
    }

    /** The section names each station, and says how many there are at most. */
    private static void requireDrawn(String what, Set<String> stations) throws IOException {
        String page = Files.readString(RepositoryRoot.path().resolve("docs/architecture.md"));
        Matcher section = Pattern.compile("(?ms)^## The path of a %s$(.*?)^## ".formatted(what))
                .matcher(page);
        assertThat(section.find()).as("a section for the path of a %s", what).isTrue();
        Set<String> drawn = Pattern.compile("\\b[A-Z]\\w+")
                .matcher(section.group(1))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toSet());
        Matcher count = Pattern.compile("has (\\d+) stations").matcher(section.group(1));
        assertThat(count.find()).as("'has N stations'").isTrue();

        assertThat(stations)
                .as("stations of a %s", what)
                .isNotEmpty()
                .allMatch(station -> drawn.contains(station.substring(station.lastIndexOf('.') + 1)))
                .hasSizeLessThanOrEqualTo(Integer.parseInt(count.group(1)));
    }
}
