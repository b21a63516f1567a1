package org.fleetgrad.datasets;

import java.util.Map;
import org.fleetgrad.networks.Task;

/**
 * What the samples of a dataset are, and what is predicted of them. It travels with the shards, and in the metadata of each
 * parameter set that is trained on them, so that a server of the model needs nothing else. Immutable and thread-safe.
 */
public sealed interface Schema permits ImageSchema, TextSchema {

    /** Returns the task that the dataset poses. */
    Task task();

    /** Returns the metadata of a parameter set that is trained on the dataset, without the dataset's name. */
    Map<String, String> metadata();
}
