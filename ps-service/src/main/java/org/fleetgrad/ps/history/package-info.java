/** The course of the run: a bounded series of its figures, which survives a restart. */
@NullMarked
package org.fleetgrad.ps.history;

import org.jspecify.annotations.NullMarked;
