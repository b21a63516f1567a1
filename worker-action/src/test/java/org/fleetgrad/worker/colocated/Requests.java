package org.fleetgrad.worker.colocated;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.testing.OpenApiContract;
import org.fleetgrad.testing.RecordedExchange;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A steady stream of predictions of digits, one every few milliseconds, over a persistent connection. */
final class Requests implements AutoCloseable {

    static final ImageSamples DIGITS = SyntheticDigits.generate(8, 99);

    private static final OpenApiContract CONTRACT = OpenApiContract.load("openapi-worker.yaml");

    /** A response to a request. */
    record Answered(int digit, int status, JsonNode body) {}

    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(2);
    private final ConcurrentLinkedQueue<Answered> answers = new ConcurrentLinkedQueue<>();
    private final CountDownLatch hasBegun = new CountDownLatch(1);
    private final CountDownLatch hasPredicted = new CountDownLatch(1);

    Requests(URI address) {
        this.address = address;
    }

    /** Starts the stream; returns when the first request is answered. */
    Requests every(long millis) throws InterruptedException {
        for (int stream = 0; stream < 2; stream++) {
            int[] next = {stream};
            ScheduledFuture<?> unused = threads.scheduleAtFixedRate(
                    () -> ask(next[0]++ % DIGITS.count()), 0, 2 * millis, TimeUnit.MILLISECONDS);
        }
        hasBegun.await();
        return this;
    }

    /** Waits for the stream's first prediction. */
    void awaitPrediction() throws InterruptedException {
        if (!hasPredicted.await(60, TimeUnit.SECONDS)) {
            throw new AssertionError("none of %d requests was answered 200 in 60 s".formatted(answers.size()));
        }
    }

    private void ask(int digit) {
        try {
            Answered answer = predict(digit);
            answers.add(answer);
            hasBegun.countDown();
            if (answer.status() == 200) {
                hasPredicted.countDown();
            }
        } catch (IOException | InterruptedException failed) {
            answers.add(new Answered(digit, 0, JsonMapper.shared().valueToTree(failed.toString())));
        }
    }

    Answered predict(int digit) throws IOException, InterruptedException {
        HttpResponse<String> response =
                client.send(request("POST", "/predict", body(digit)), HttpResponse.BodyHandlers.ofString());
        return new Answered(digit, response.statusCode(), JsonMapper.shared().readTree(response.body()));
    }

    static String body(int digit) {
        return "{\"image\":%s}".formatted(pixels(digit));
    }

    private HttpRequest request(String method, String path, String body) {
        return HttpRequest.newBuilder(address.resolve(path))
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    /** Sends one request, and checks the exchange against the contract. */
    HttpResponse<String> send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = request(method, path, body);
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        CONTRACT.check(RecordedExchange.of(request, response, response.body().getBytes(StandardCharsets.UTF_8)));
        return response;
    }

    static List<Integer> pixels(int digit) {
        int size = DIGITS.imageBytes();
        return IntStream.range(0, size)
                .mapToObj(i -> DIGITS.images()[digit * size + i] & 0xFF)
                .toList();
    }

    /** Ends the stream and returns the responses. */
    List<Answered> end() throws InterruptedException {
        threads.shutdown();
        if (!threads.awaitTermination(60, TimeUnit.SECONDS)) {
            throw new AssertionError("a request was not answered in 60 s");
        }
        return List.copyOf(answers);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
