package org.fleetgrad.datasets.shard;

import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a file with a shard of feedback: {@code feedback-00000012-of-1000-samples.tar.gz}. Who collects shards and who puts them to
 * work know each other by it alone.
 *
 * @param number  of the shard in its folder
 * @param samples how many it has
 */
public record FeedbackShardName(long number, long samples) {

    private static final Pattern FORM = Pattern.compile("feedback-(\\d{1,9})-of-(\\d{1,9})-samples\\.tar\\.gz");

    /** Reads the name of a file; empty if it has another form. */
    public static Optional<FeedbackShardName> of(Path file) {
        Matcher name = FORM.matcher(String.valueOf(file.getFileName()));
        return name.matches()
                ? Optional.of(new FeedbackShardName(Long.parseLong(name.group(1)), Long.parseLong(name.group(2))))
                : Optional.empty();
    }

    /** Returns the name. */
    public String fileName() {
        return "feedback-%08d-of-%d-samples.tar.gz".formatted(number, samples);
    }
}
