package org.fleetgrad.benchmarks.serving.places;

import java.util.List;

/**
 * What to train and to ask.
 *
 * @param servings who answers
 * @param clients  clients of each piece of a run; each sends its next request as soon as it has a response
 * @param samples  samples of a piece, for each worker
 * @param heldOut  held-out samples that clients ask about
 * @param shard    held-out samples that a replica evaluates versions on; others than those that clients ask about
 */
public record PlacesPlan(List<Serving> servings, List<Integer> clients, int samples, int heldOut, int shard) {

    /** Copies the lists. */
    public PlacesPlan {
        servings = List.copyOf(servings);
        clients = List.copyOf(clients);
    }
}
