/** Images in PNG and JPEG files, decoded, and resized by area. */
@NullMarked
package org.fleetgrad.datasets.image;

import org.jspecify.annotations.NullMarked;
