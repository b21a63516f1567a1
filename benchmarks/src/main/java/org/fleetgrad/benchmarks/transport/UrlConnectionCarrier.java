package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import org.fleetgrad.protocol.HeaderNames;

/** The JDK's old client, which ps-client used at first. */
final class UrlConnectionCarrier implements Carrier {

    private final URI uri;
    private final byte[] data;

    UrlConnectionCarrier(URI uri, byte[] data) {
        this.uri = uri;
        this.data = data;
    }

    @Override
    public int push(byte[] header) throws IOException {
        HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setRequestMethod("POST");
        connection.setUseCaches(false);
        connection.setRequestProperty("Content-Type", HeaderNames.SAFETENSORS);
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode((long) header.length + data.length);
        try (OutputStream out = connection.getOutputStream()) {
            out.write(header);
            out.write(data);
        }
        if (connection.getResponseCode() != HttpURLConnection.HTTP_OK) {
            throw new IOException("the server answered " + connection.getResponseCode());
        }
        byte[] body = new byte[connection.getContentLength()];
        try (InputStream in = connection.getInputStream()) {
            int read = in.readNBytes(body, 0, body.length);
            // Reading past the last byte returns the connection to the JDK's pool.
            if (read < body.length || in.read() >= 0) {
                throw new IOException("the answer does not have the length that it states");
            }
        }
        return body.length;
    }
}
