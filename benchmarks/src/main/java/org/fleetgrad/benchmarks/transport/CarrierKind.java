package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.net.URI;

/** The ways of carrying that are compared. */
enum CarrierKind {
    URL_CONNECTION("url-connection", "HttpURLConnection"),
    HTTP_CLIENT("http-client", "java.net.http.HttpClient, HTTP/1.1"),
    APACHE("apache", "Apache HttpClient 5, classic"),
    CHANNEL("channel", "a blocking SocketChannel, direct buffers used again"),
    SOCKET("socket", "a bare blocking socket");

    private final String word;
    private final String what;

    CarrierKind(String word, String what) {
        this.word = word;
        this.what = what;
    }

    /** Returns the word in a figure's name. */
    String word() {
        return word;
    }

    /** Returns what people call it. */
    String what() {
        return what;
    }

    /**
     * Makes one.
     *
     * @param uri  where pushes go, path and query included
     * @param data what every body ends with
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
