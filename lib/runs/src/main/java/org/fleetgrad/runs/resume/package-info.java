/** The sources that a run can resume from: another run's folder, checkpoints, or a file. */
@NullMarked
package org.fleetgrad.runs.resume;

import org.jspecify.annotations.NullMarked;
