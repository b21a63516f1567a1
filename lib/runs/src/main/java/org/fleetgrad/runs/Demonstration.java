package org.fleetgrad.runs;

import java.util.Optional;

/**
 * What a run asks the live model while a person watches: of images, about one at the end; of a text, every few seconds how the newest
 * version continues it.
 *
 * @param prompt beginning of a text that is continued; empty for that of the held-out text
 */
public record Demonstration(Optional<String> prompt) {}
