/** An ensemble of the workers of a run, which serve predictions while they train. */
@NullMarked
package org.fleetgrad.ensemble;

import org.jspecify.annotations.NullMarked;
