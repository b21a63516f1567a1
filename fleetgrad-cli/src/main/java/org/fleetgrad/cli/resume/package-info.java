/** What a run resumes from: another run's folder, checkpoints, or a file. */
@NullMarked
package org.fleetgrad.cli.resume;

import org.jspecify.annotations.NullMarked;
