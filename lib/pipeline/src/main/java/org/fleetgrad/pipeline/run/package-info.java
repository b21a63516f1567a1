/** What the driver of a run and the programs of its stages agree on: order of the data, settings, messages, flushes. */
@NullMarked
package org.fleetgrad.pipeline.run;

import org.jspecify.annotations.NullMarked;
