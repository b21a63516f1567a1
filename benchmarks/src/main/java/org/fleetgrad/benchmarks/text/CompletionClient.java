package org.fleetgrad.benchmarks.text;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Requests greedy completions of a prompt of three tokens from an inference API, one after the other. */
final class CompletionClient {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String DATA = "data: {";
    private static final int MOST_TRIES = 300;
    private static final int PAUSE_MS = 200;
    private static final int OK = 200;

    private final URI address;
    private final int tokens;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** @param tokens of each completion */
    CompletionClient(URI address, int tokens) {
        this.address = address.resolve("/v1/completions");
        this.tokens = tokens;
    }

    /** Waits until the server continues a prompt. */
    void awaitModel() throws IOException, InterruptedException {
        for (int i = 0; i < MOST_TRIES; i++) {
            try {
                complete();
                return;
            } catch (IOException notYet) {
                Thread.sleep(PAUSE_MS);
            }
        }
        throw new IOException("the server continues no prompt");
    }

    private void complete() throws IOException, InterruptedException {
        HttpResponse<String> response = http.send(request(false), HttpResponse.BodyHandlers.ofString());
        requireOk(response.statusCode(), response.body());
        int made = JSON.readTree(response.body())
                .path("usage")
                .path("completion_tokens")
                .asInt();
        requireAll(made);
    }

    /** Returns the tokens a second of completions for so many seconds. */
    double tokensPerSecond(double seconds) throws IOException, InterruptedException {
        long begin = System.nanoTime();
        long made = 0;
        double passed;
        do {
            complete();
            made += tokens;
            passed = (System.nanoTime() - begin) / 1e9;
        } while (passed < seconds);
        return (double) made / passed;
    }

    /** Streams one completion and returns the nanoseconds from each chunk to the next; a chunk has one token, or several. */
    List<Double> gaps() throws IOException, InterruptedException {
        HttpResponse<Stream<String>> response = http.send(request(true), HttpResponse.BodyHandlers.ofLines());
        List<Double> gaps = new ArrayList<>();
        long last = 0;
        int made = 0;
        try (Stream<String> lines = response.body()) {
            requireOk(response.statusCode(), "a stream");
            for (Iterator<String> each = lines.iterator(); each.hasNext(); ) {
                String line = each.next();
                if (line.startsWith(DATA)) {
                    long now = System.nanoTime();
                    // A token is a character.
                    made += JSON.readTree(line.substring(DATA.length() - 1))
                            .path("choices")
                            .path(0)
                            .path("text")
                            .asString()
                            .length();
                    if (last != 0) {
                        gaps.add((double) (now - last));
                    }
                    last = now;
                }
            }
        }
        requireAll(made);
        return gaps;
    }

    private HttpRequest request(boolean isStream) {
        String body =
                "{\"prompt\":\"AND\",\"max_tokens\":%d,\"temperature\":0,\"stream\":%s}".formatted(tokens, isStream);
        return HttpRequest.newBuilder(address)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body))
                .build();
    }

    private static void requireOk(int code, String body) throws IOException {
        if (code != OK) {
            throw new IOException("a completion was answered %d: %s".formatted(code, body));
        }
    }

    private void requireAll(int made) throws IOException {
        if (made != tokens) {
            throw new IOException("a completion has %d tokens; it should have %d".formatted(made, tokens));
        }
    }
}
