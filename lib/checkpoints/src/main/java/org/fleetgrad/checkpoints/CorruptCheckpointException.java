package org.fleetgrad.checkpoints;

import java.io.IOException;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/** A checkpoint is not what was written: a file is missing, cut off, changed, or no manifest at all. */
public final class CorruptCheckpointException extends IOException {

    private static final long serialVersionUID = 1L;

    private final long number;
    private final String file;
    private final String reason;

    /** Says of a file what is wrong with it, in a sentence whose subject is the file. */
    CorruptCheckpointException(long number, String file, String reason) {
        this(number, file, reason, null);
    }

    CorruptCheckpointException(long number, String file, String reason, @Nullable Throwable cause) {
        super("%s/%s %s".formatted(CheckpointName.of(number), file, Printable.text(reason)), cause);
        this.number = number;
        this.file = file;
        this.reason = Printable.text(reason);
    }

    /** Returns the checkpoint's number. */
    public long number() {
        return number;
    }

    /** Returns the name of the file that is wrong. */
    public String file() {
        return file;
    }

    /** Returns what is wrong with it. */
    public String reason() {
        return reason;
    }
}
