/** A complete run on this machine, from the dataset to the report. */
@NullMarked
package org.fleetgrad.runs;

import org.jspecify.annotations.NullMarked;
