package org.fleetgrad.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;

/** Invokes a worker as OpenWhisk does. */
final class Invocation {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private Invocation() {}

    /** Initializes a worker that may still be starting. */
    static void init(Programs.Worker worker) throws InterruptedException, IOException {
        while (true) {
            try {
                post(worker.address().resolve("/init"), "{\"value\":{}}");
                return;
            } catch (IOException notYet) {
                if (!worker.process().isAlive()) {
                    throw notYet;
                }
                Thread.sleep(5);
            }
        }
    }

    /** Trains a worker on a shard and returns its answer. */
    static String run(Programs.Worker worker, URI server, Path shard, int epochs)
            throws IOException, InterruptedException {
        String answer = post(
                worker.address().resolve("/run"),
                "{\"value\":{\"batch_sz_train\":32,\"update_intv\":1,\"epoch_n\":%d,\"apihost\":\"%s\",\"dataset_url\":\"%s\"}}"
                        .formatted(epochs, server, shard.toUri()));
        if (answer.contains("\"error\"")) {
            throw new IOException("the worker answered " + answer);
        }
        return answer;
    }

    private static String post(URI uri, String body) throws IOException, InterruptedException {
        return HTTP.send(
                        HttpRequest.newBuilder(uri)
                                .POST(HttpRequest.BodyPublishers.ofString(body))
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
