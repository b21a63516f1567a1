package org.fleetgrad.checkpoints;

import java.io.IOException;
import org.fleetgrad.files.text.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint differs from what was written: a file is missing, truncated or changed, or the manifest cannot be read.
 */
public final class CorruptCheckpointException extends IOException {

    private static final long serialVersionUID = 1L;

    private final long number;
    private final String file;
    private final String reason;

    /** Describes the damage of a file. {@code reason} completes a sentence whose subject is the file. */
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

    /** Returns the name of the damaged file. */
    public String file() {
        return file;
    }

    /** Returns what is wrong with the file. */
    public String reason() {
        return reason;
    }
}
