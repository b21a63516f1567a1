/** What a run is asked to do, as plain values: the options after they were checked. */
@NullMarked
package org.fleetgrad.cli.settings;

import org.jspecify.annotations.NullMarked;
