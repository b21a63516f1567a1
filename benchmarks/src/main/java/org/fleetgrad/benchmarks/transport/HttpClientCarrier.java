package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import org.fleetgrad.protocol.HeaderNames;

/** The JDK's newer client. */
final class HttpClientCarrier implements Carrier {

    private static final int OK = 200;

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI uri;
    private final byte[] data;

    HttpClientCarrier(URI uri, byte[] data) {
        this.uri = uri;
        this.data = data;
    }

    @Override
    public int push(byte[] header) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Content-Type", HeaderNames.SAFETENSORS)
                .POST(BodyPublishers.fromPublisher(
                        BodyPublishers.ofByteArrays(List.of(header, data)), (long) header.length + data.length))
                .build();
        try {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != OK) {
                throw new IOException("the server answered " + response.statusCode());
            }
            return response.body().length;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }
}
