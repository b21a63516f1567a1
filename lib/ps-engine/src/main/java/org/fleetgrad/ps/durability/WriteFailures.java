package org.fleetgrad.ps.durability;

import java.nio.file.Path;
import java.util.Optional;
import org.fleetgrad.files.DiskSpace;
import org.jspecify.annotations.Nullable;

/** Why the newest checkpoint or journal entry could not be written, until one is. Thread-safe. */
final class WriteFailures {

    private final Optional<Path> folder;
    private volatile @Nullable String checkpoint;
    private volatile @Nullable String journal;

    /** @param folder in which checkpoints and journal lie, if it is one */
    WriteFailures(Optional<Path> folder) {
        this.folder = folder;
    }

    /**
     * Keeps why a checkpoint could not be written.
     *
     * @param bytes that it takes, about
     */
    void checkpointFailed(Exception failure, long bytes) {
        checkpoint = failure.getMessage()
                + (DiskSpace.isFull(failure) && folder.isPresent()
                        ? "; a checkpoint takes about %,d bytes%s".formatted(bytes, DiskSpace.note(folder.get()))
                        : "");
    }

    void checkpointWritten() {
        checkpoint = null;
    }

    void journalFailed(Exception failure) {
        journal = "the journal cannot be written: %s%s; gradients are refused until it can"
                .formatted(
                        failure.getMessage(),
                        DiskSpace.isFull(failure) && folder.isPresent() ? DiskSpace.note(folder.get()) : "");
    }

    void journalWritten() {
        // Each gradient comes here: a write of the field would cost more than the question.
        if (journal != null) {
            journal = null;
        }
    }

    /** Returns the newest failure. */
    Optional<String> newest() {
        @Nullable String ofJournal = journal;
        return Optional.ofNullable(ofJournal == null ? checkpoint : ofJournal);
    }
}
