/** Uploads shards to a store. */
@NullMarked
package org.fleetgrad.tools.upload;

import org.jspecify.annotations.NullMarked;
