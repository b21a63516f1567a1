/** The settings of a run, as plain values: the options after they were checked. */
@NullMarked
package org.fleetgrad.runs.settings;

import org.jspecify.annotations.NullMarked;
