/** The arithmetic of evaluating versions on held-out samples, shared by all evaluators. */
@NullMarked
package org.fleetgrad.serving.evaluation;

import org.jspecify.annotations.NullMarked;
