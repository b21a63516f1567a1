/** Ends exchanges with another machine that go on, and hardly move. */
@NullMarked
package org.fleetgrad.files.pace;

import org.jspecify.annotations.NullMarked;
