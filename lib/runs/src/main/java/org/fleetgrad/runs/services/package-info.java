/** The parameter servers and the inference API of a run: started, reached, and restarted after a crash. */
@NullMarked
package org.fleetgrad.runs.services;

import org.jspecify.annotations.NullMarked;
