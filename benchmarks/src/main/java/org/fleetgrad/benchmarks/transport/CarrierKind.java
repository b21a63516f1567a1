package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.net.URI;

/** The compared HTTP clients. */
enum CarrierKind {
    URL_CONNECTION("url-connection", "HttpURLConnection"),
    HTTP_CLIENT("http-client", "java.net.http.HttpClient, HTTP/1.1"),
    APACHE("apache", "Apache HttpClient 5, classic"),
    CHANNEL("channel", "a blocking SocketChannel with reused direct buffers"),
    SOCKET("socket", "a bare blocking socket");

    private final String word;
    private final String what;

    CarrierKind(String word, String what) {
        this.word = word;
        this.what = what;
    }

    /** Returns the word used in a figure's name. */
    String word() {
        return word;
    }

    /** Returns the description for people. */
    String what() {
        return what;
    }

    /**
     * Makes a carrier.
     *
     * @param uri  address of pushes, with path and query
     * @param data the end of every body
     */
    Carrier open(URI uri, byte[] data) throws IOException {
        return switch (this) {
            case URL_CONNECTION -> new UrlConnectionCarrier(uri, data);
            case HTTP_CLIENT -> new HttpClientCarrier(uri, data);
            case APACHE -> new ApacheCarrier(uri, data);
            case CHANNEL -> new ChannelCarrier(uri, data);
            case SOCKET -> new SocketCarrier(uri, data);
        };
    }
}
