package org.fleetgrad.cli.serve;

import java.net.URI;

/**
 * A worker that answers predictions.
 *
 * @param worker  id under which it registered last
 * @param address where it answers
 */
record Member(String worker, URI address) {

    URI predict() {
        return URI.create(address.toString().replaceFirst("/+$", "") + "/predict");
    }
}
