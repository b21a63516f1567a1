/** Where the stages of a pipeline run: processes and containers. */
@NullMarked
package org.fleetgrad.cli.pipeline.place;

import org.jspecify.annotations.NullMarked;
