/** A run whose network is cut into stages: its plan, its flushes, its end. */
@NullMarked
package org.fleetgrad.cli.pipeline;

import org.jspecify.annotations.NullMarked;
