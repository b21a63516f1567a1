package org.fleetgrad.openwhisk;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.files.text.Printable;

/**
 * A complete response. Its content may be hostile, and may even contain the key that was sent: only {@link #shown} may
 * put it into a message.
 */
record WhiskResponse(Call call, WhiskAuth auth, int status, HttpHeaders headers, byte[] body) {

    private static final int MULTIPLE_CHOICES = 300;
    private static final int OK = 200;

    boolean isSuccess() {
        return status >= OK && status < MULTIPLE_CHOICES;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Makes text of this response safe to show: removes the key and control characters, and limits the length. */
    String shown(String text) {
        return Printable.text(auth.hideIn(text));
    }
}
