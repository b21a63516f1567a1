package org.fleetgrad.openwhisk;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** A request. Messages use its text form. */
record Call(String method, URI uri, byte @Nullable [] body) {

    static Call get(URI uri) {
        return new Call("GET", uri, null);
    }

    @Override
    public String toString() {
        return method + " " + uri;
    }
}
