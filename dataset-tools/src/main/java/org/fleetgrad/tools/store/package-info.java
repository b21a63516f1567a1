/** Places that keep shards: a folder, or a bucket of an S3 service. */
@NullMarked
package org.fleetgrad.tools.store;

import org.jspecify.annotations.NullMarked;
