/** The system against an S3 service in a container. */
@NullMarked
package org.fleetgrad.e2e.s3;

import org.jspecify.annotations.NullMarked;
