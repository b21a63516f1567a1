/** An ensemble of the workers of a run, which serve predictions while they train. */
@NullMarked
package org.fleetgrad.cli.serve;

import org.jspecify.annotations.NullMarked;
