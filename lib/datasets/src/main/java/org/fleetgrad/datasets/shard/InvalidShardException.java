package org.fleetgrad.datasets.shard;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A file breaks a rule of a shard or of a set of shards. The message has the file, the rule and the numbers. */
public final class InvalidShardException extends IOException {

    private static final long serialVersionUID = 1L;

    private final ShardRule rule;

    /** Makes an exception: {@code source} breaks {@code rule}, with the details. */
    public InvalidShardException(String source, ShardRule rule, String detail) {
        this(source, rule, detail, null);
    }

    /** Makes an exception: {@code source} breaks {@code rule}, with the details and the cause. */
    public InvalidShardException(String source, ShardRule rule, String detail, @Nullable Throwable cause) {
        super("%s breaks rule %s: %s".formatted(source, rule, detail), cause);
        this.rule = rule;
    }

    /** Returns the broken rule. */
    public ShardRule rule() {
        return rule;
    }
}
