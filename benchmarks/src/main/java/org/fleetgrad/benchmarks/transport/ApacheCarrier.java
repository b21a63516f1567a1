package org.fleetgrad.benchmarks.transport;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.io.entity.EntityTemplate;
import org.fleetgrad.protocol.HeaderNames;

/** Apache's blocking client, with ps-client's settings: no retries, no redirects. */
final class ApacheCarrier implements Carrier {

    private final CloseableHttpClient client = HttpClients.custom()
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .disableContentCompression()
            .build();
    private final URI uri;
    private final byte[] data;

    ApacheCarrier(URI uri, byte[] data) {
        this.uri = uri;
        this.data = data;
    }

    @Override
    public int push(byte[] header) throws IOException {
        HttpPost post = new HttpPost(uri);
        post.setEntity(new EntityTemplate(
                (long) header.length + data.length, ContentType.create(HeaderNames.SAFETENSORS), null, out -> {
                    out.write(header);
                    out.write(data);
                }));
        return client.execute(post, ApacheCarrier::bodyLength);
    }

    private static int bodyLength(ClassicHttpResponse response) throws IOException {
        if (response.getCode() != HttpStatus.SC_OK) {
            throw new IOException("the server answered " + response.getCode());
        }
        HttpEntity entity = response.getEntity();
        byte[] body = new byte[Math.toIntExact(entity.getContentLength())];
        try (InputStream in = entity.getContent()) {
            return in.readNBytes(body, 0, body.length);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
