/**
 * Checkpoints: what is needed to go on with a training, and what a person wants to know of it, written whole or not at
 * all and verified when read.
 */
@NullMarked
package org.fleetgrad.checkpoints;

import org.jspecify.annotations.NullMarked;
