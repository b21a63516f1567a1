/** A fake parameter server for tests of its clients; other modules get it in this module's test jar. */
@NullMarked
package org.fleetgrad.client.fake;

import org.jspecify.annotations.NullMarked;
