package org.fleetgrad.http.server;

import org.jspecify.annotations.Nullable;

/**
 * A complete request.
 *
 * @param method    such as {@code POST}
 * @param path      without query, decoded
 * @param mediaType the header {@code Content-Type}; null without one
 * @param body      its bytes; not copied
 */
public record BufferedRequest(
        String method, String path, @Nullable String mediaType, byte[] body) {

    private static final String JSON = "application/json";

    /** Returns whether the content type is JSON. */
    public boolean isJson() {
        return mediaType != null && mediaType.strip().split(";", -1)[0].strip().equalsIgnoreCase(JSON);
    }
}
