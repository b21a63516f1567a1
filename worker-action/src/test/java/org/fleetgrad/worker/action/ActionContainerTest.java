package org.fleetgrad.worker.action;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.testing.ActionWire;
import org.fleetgrad.testing.ActionWire.Reply;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.WorkerAction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The container as a process of its own. */
class ActionContainerTest {

    private static final String UNICODE = "❄ ☃ ❄";

    @TempDir
    private Path folder;

    /** A worker that answers on a port of its own. */
    private record Worker(Process process, BufferedReader log, ActionWire wire) implements AutoCloseable {

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    /** Starts the worker under a locale and a default charset in which there are no snowmen. */
    private static Worker start() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Dfile.encoding=ISO-8859-1",
                "-Dai.djl.offline=true",
                "-cp",
                System.getProperty("java.class.path"),
                WorkerAction.class.getName());
        builder.environment().put("WORKER_PORT", "0");
        builder.environment().put("WORKER_ADDRESS", "127.0.0.1");
        builder.environment().put("LC_ALL", "C");
        Process process = builder.start();
        BufferedReader log = process.errorReader(UTF_8);
        String line = String.valueOf(log.readLine());
        assertThat(line).startsWith("worker-action serves /init and /run on port ");
        return new Worker(process, log, ActionWire.local(Integer.parseInt(line.substring(line.lastIndexOf(' ') + 1))));
    }

    @Test
    void shouldSpeakUtf8UnderAnyLocaleAndStopWhenItIsTold() throws Exception {
        String message = "apihost must be like http://host:29500; it is '%s'".formatted(UNICODE);
        try (Worker worker = start()) {
            assertThat(worker.wire().post("/init", "{}").status()).isEqualTo(200);

            Reply reply = worker.wire()
                    .post("/run", "{\"value\":{\"apihost\":\"%s\",\"dataset_url\":\"/a\"}}".formatted(UNICODE));

            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.error()).isEqualTo(message);
            worker.process().toHandle().destroy();
            assertThat(worker.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(worker.log().lines()).containsExactly(message, ActionEndpoint.LOG_SENTINEL);
            assertThat(worker.process().inputReader(UTF_8).lines()).containsExactly(ActionEndpoint.LOG_SENTINEL);
        }
    }

    @Test
    void shouldLetTheRunInProgressAnswerBeforeItStops() throws Exception {
        CountDownLatch isTraining = new CountDownLatch(1);
        Path shard = folder.resolve("shard.tar.gz");
        ShardArchive.write(TestShards.digits(64, 1), shard);
        try (FakeParameterServer server = new FakeParameterServer(0.01f).nextIsFineAnd(isTraining::countDown);
                Worker worker = start()) {
            String body = """
                    {"value":{"apihost":"%s","dataset_url":"%s","epoch_n":1000000,"update_intv":1,"worker":"w1"}}""".formatted(server.uri(), shard);
            CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(() -> post(worker.wire(), body));
            assertThat(isTraining.await(60, TimeUnit.SECONDS)).isTrue();

            worker.process().toHandle().destroy();

            JsonNode answer = reply.get(60, TimeUnit.SECONDS).json();
            assertThat(answer.get("completed").booleanValue()).isFalse();
            assertThat(answer.get("pushes").longValue())
                    .isEqualTo(server.pushes().size())
                    .isEqualTo(server.version());
            assertThat(server.workers()).isEmpty();
            assertThat(worker.process().waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static Reply post(ActionWire wire, String body) {
        try {
            return wire.post("/run", body);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "http", "-1", "65536", "8080 "})
    void shouldRefuseAPortThatIsNone(String port) {
        assertThatThrownBy(() -> ActionContainer.serve(Map.of("WORKER_PORT", port)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("WORKER_PORT must be a port from 0 to 65535; it is '%s'", port);
    }
}
