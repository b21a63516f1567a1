/** Watches a run until its target is reached or its work is done, and evaluates the model that comes of it. */
@NullMarked
package org.fleetgrad.cli.watch;

import org.jspecify.annotations.NullMarked;
