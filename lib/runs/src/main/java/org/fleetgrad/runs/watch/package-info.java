/** Watches a run until its target is reached or its work is done, and evaluates the resulting model. */
@NullMarked
package org.fleetgrad.runs.watch;

import org.jspecify.annotations.NullMarked;
