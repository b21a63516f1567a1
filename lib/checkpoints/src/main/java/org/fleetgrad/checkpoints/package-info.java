/**
 * Checkpoints: the files needed to continue a training, and notes for people. A checkpoint is written atomically, and
 * verified when read.
 */
@NullMarked
package org.fleetgrad.checkpoints;

import org.jspecify.annotations.NullMarked;
