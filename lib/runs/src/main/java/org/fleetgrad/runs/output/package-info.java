/** What a run tells its user: lines, figures, the picture of a sample, and why it failed. */
@NullMarked
package org.fleetgrad.runs.output;

import org.jspecify.annotations.NullMarked;
