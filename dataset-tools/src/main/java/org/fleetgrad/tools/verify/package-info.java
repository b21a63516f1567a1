/** Checks shards and sets of shards byte by byte. */
@NullMarked
package org.fleetgrad.tools.verify;

import org.jspecify.annotations.NullMarked;
