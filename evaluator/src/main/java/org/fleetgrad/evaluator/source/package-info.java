/** Sources of versions: checkpoints, files, or a training parameter server. */
@NullMarked
package org.fleetgrad.evaluator.source;

import org.jspecify.annotations.NullMarked;
