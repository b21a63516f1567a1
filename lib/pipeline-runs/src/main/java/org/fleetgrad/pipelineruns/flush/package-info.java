/** The files of each flush of a pipeline, from which it resumes. */
@NullMarked
package org.fleetgrad.pipelineruns.flush;

import org.jspecify.annotations.NullMarked;
