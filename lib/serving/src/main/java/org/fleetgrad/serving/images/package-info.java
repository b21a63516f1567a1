/** Images of a request: read, checked and counted. */
@NullMarked
package org.fleetgrad.serving.images;

import org.jspecify.annotations.NullMarked;
