/** The MATLAB files in which SVHN's cropped digits are published. */
@NullMarked
package org.fleetgrad.datasets.svhn;

import org.jspecify.annotations.NullMarked;
