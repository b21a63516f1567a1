/** Tests of the system with an S3 service in a container. */
@NullMarked
package org.fleetgrad.e2e.s3;

import org.jspecify.annotations.NullMarked;
