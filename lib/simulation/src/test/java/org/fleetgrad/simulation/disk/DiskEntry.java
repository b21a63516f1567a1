package org.fleetgrad.simulation.disk;

import java.util.Random;

/** A file or a folder. */
sealed interface DiskEntry permits DiskFile, DiskFolder {

    /**
     * Loses its power.
     *
     * @return whether a write was torn
     */
    boolean crash(Random random);
}
