/** Stores of objects by name: a folder, or a bucket of an S3 service. */
@NullMarked
package org.fleetgrad.store;

import org.jspecify.annotations.NullMarked;
