package org.fleetgrad.benchmarks.serving.places;

import java.util.List;

/**
 * A training from its beginning to its end.
 *
 * @param pieces     one for each number of clients
 * @param parameters the bytes of the last version
 */
record Course(List<Piece> pieces, byte[] parameters) {}
