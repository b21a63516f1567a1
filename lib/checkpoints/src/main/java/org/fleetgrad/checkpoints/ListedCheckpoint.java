package org.fleetgrad.checkpoints;

/**
 * One entry of a list of checkpoints. The list checks that files exist and have their lengths; only a read verifies
 * their content.
 */
public sealed interface ListedCheckpoint {

    /** Returns the checkpoint's number. */
    long number();

    /**
     * A checkpoint that has all of its files.
     *
     * @param manifest its manifest
     */
    record Complete(CheckpointManifest manifest) implements ListedCheckpoint {

        @Override
        public long number() {
            return manifest.number();
        }
    }

    /**
     * A checkpoint that cannot be read.
     *
     * @param number its number, as in the name of its folder
     * @param file   the damaged file
     * @param reason what is wrong with the file; completes a sentence whose subject is the file
     */
    record Corrupt(long number, String file, String reason) implements ListedCheckpoint {}
}
