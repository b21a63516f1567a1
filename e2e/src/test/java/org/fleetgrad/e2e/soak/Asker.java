package org.fleetgrad.e2e.soak;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests one prediction after the other. A request that met a restart of inference-api may fail; any other one must be answered, and
 * never by an older version than the one before.
 */
final class Asker {

    private static final Duration PAUSE = Duration.ofMillis(40);
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int PIXELS = 28 * 28;

    private final SoakedProgram inference;
    private final SoakTally tally;
    private final Latencies latencies;
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final HttpRequest question;
    private final CountDownLatch over = new CountDownLatch(1);
    private final Thread thread = new Thread(this::run, "asker");
    private int lifeOfNewest;
    private long newest;

    Asker(SoakedProgram inference, SoakTally tally, Latencies latencies) {
        this.inference = inference;
        this.tally = tally;
        this.latencies = latencies;
        this.question = HttpRequest.newBuilder(inference.address().resolve("/predict"))
                .header("Content-Type", "application/json")
                .timeout(TIMEOUT)
                .POST(HttpRequest.BodyPublishers.ofString("{\"image\":%s}".formatted(Arrays.toString(new int[PIXELS]))))
                .build();
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void finish() throws InterruptedException {
        over.countDown();
        thread.join(TIMEOUT.toMillis());
    }

    private void run() {
        try {
            while (!over.await(PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
                int life = inference.life();
                if (SoakedProgram.isUp(life)) {
                    ask(life);
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failed) {
            tally.failed("asker: " + failed);
        }
    }

    private void ask(int life) throws InterruptedException {
        long begin = System.nanoTime();
        String failure;
        try {
            HttpResponse<String> answer = http.send(question, HttpResponse.BodyHandlers.ofString());
            long nanos = System.nanoTime() - begin;
            if (answer.statusCode() == 200) {
                latencies.add(nanos);
                note(life, JsonMapper.shared().readTree(answer.body()));
                return;
            }
            failure = "%d %s".formatted(answer.statusCode(), answer.body());
        } catch (IOException broken) {
            failure = broken.toString();
        }
        if (inference.life() == life) {
            tally.failed("a prediction was answered " + failure);
        }
    }

    private void note(int life, JsonNode answer) {
        long version = answer.path("version").asLong();
        if (life == lifeOfNewest && version < newest) {
            tally.failed("a prediction was answered by version %d after one by %d".formatted(version, newest));
        }
        lifeOfNewest = life;
        newest = version;
    }

    /** Returns whether a prediction is answered. */
    boolean isAnswered() throws IOException, InterruptedException {
        return http.send(question, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    }
}
