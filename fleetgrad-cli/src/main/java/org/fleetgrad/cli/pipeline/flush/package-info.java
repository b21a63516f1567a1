/** What a pipeline keeps of each flush, and goes on from. */
@NullMarked
package org.fleetgrad.cli.pipeline.flush;

import org.jspecify.annotations.NullMarked;
