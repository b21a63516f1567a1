package org.fleetgrad.openwhisk;

import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import org.fleetgrad.files.text.Printable;

/** What came back, whole. What it says may be hostile, even the key that was sent: it is shown by {@link #shown} only. */
record Answer(Call call, WhiskAuth auth, int status, HttpHeaders headers, byte[] body) {

    private static final int MULTIPLE_CHOICES = 300;
    private static final int OK = 200;

    boolean isSuccess() {
        return status >= OK && status < MULTIPLE_CHOICES;
    }

    String text() {
        return new String(body, StandardCharsets.UTF_8);
    }

    /** Makes text of this answer fit to be shown: without the key, without control characters, not too long. */
    String shown(String text) {
        return Printable.text(auth.hideIn(text));
    }
}
