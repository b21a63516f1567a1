/** The program behind {@code fleetgrad evaluate}: its options, and how it ends. */
@NullMarked
package org.fleetgrad.evaluator;

import org.jspecify.annotations.NullMarked;
