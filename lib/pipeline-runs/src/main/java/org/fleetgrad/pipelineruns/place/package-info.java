/** Where the stages of a pipeline run: processes and containers. */
@NullMarked
package org.fleetgrad.pipelineruns.place;

import org.jspecify.annotations.NullMarked;
