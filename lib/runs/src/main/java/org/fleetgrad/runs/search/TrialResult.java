package org.fleetgrad.runs.search;

import java.util.Optional;
import org.fleetgrad.runs.kept.Measure;

/**
 * What a trial came to.
 *
 * @param state   of its run: ended, failed, stopped and so on, {@code not begun}, or with halving {@code out}, if others were better
 * @param rung    the last one in which it trained, from 1
 * @param best    its best held-out result
 * @param version that its last result has; -1 if there is none
 * @param seconds that it trained, as far as its results say
 * @param note    why it is not among the best, or why it failed; may be empty
 */
public record TrialResult(
        Trial trial, String state, int rung, Optional<Measure> best, long version, double seconds, String note) {}
