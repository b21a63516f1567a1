/** Durations and sizes as people write them: {@code 500ms}, {@code 2d}, {@code 256m}. */
@NullMarked
package org.fleetgrad.files.units;

import org.jspecify.annotations.NullMarked;
