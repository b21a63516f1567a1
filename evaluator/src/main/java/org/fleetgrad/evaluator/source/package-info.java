/** Where versions come from: checkpoints, files, or a parameter server that trains. */
@NullMarked
package org.fleetgrad.evaluator.source;

import org.jspecify.annotations.NullMarked;
