package org.fleetgrad.checkpoints;

/** What a list shows of a checkpoint. Files are there and have their lengths; only a read verifies their content. */
public sealed interface ListedCheckpoint {

    /** Returns the checkpoint's number. */
    long number();

    /**
     * One that has all of its files.
     *
     * @param manifest what it says of itself
     */
    record Whole(CheckpointManifest manifest) implements ListedCheckpoint {

        @Override
        public long number() {
            return manifest.number();
        }
    }

    /**
     * One that cannot be read.
     *
     * @param number its number, that of its folder
     * @param file   the file that is wrong
     * @param reason what is wrong with the file; a sentence whose subject is the file
     */
    record Corrupt(long number, String file, String reason) implements ListedCheckpoint {}
}
