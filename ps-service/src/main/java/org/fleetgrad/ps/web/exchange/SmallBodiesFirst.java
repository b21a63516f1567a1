package org.fleetgrad.ps.web.exchange;

import org.eclipse.jetty.server.handler.EagerContentHandler;
import org.fleetgrad.protocol.Routes;

/**
 * Lets a request with a small body wait until the body is there, without a thread. A client that sends half of a small body
 * keeps a connection, and nothing else. The routes of tensors read their bodies themselves, as they come.
 */
final class SmallBodiesFirst extends EagerContentHandler {

    /** A body that is longer is given to its route when so much of it is there. */
    private static final int MOST_BYTES = 64 * 1024;

    /** What a piece of a body costs beside its bytes. */
    private static final int COST_OF_PIECE = 32;

    SmallBodiesFirst() {
        super(new RetainedContentLoaderFactory(MOST_BYTES, COST_OF_PIECE, false));
        excludePath(Routes.PUT_GRADIENT, Routes.PUT_PARAMETER);
        excludeMethod("GET", "HEAD");
    }
}
