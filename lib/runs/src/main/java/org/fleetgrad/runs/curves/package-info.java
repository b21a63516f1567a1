/** The curves of a run, written while it runs: TensorBoard's event files, and a table of comma-separated values. */
@NullMarked
package org.fleetgrad.runs.curves;

import org.jspecify.annotations.NullMarked;
