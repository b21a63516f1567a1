/** OpenWhisk's Java kind: the worker's jar under Apache's runtime and under ours. */
@NullMarked
package org.fleetgrad.e2e.javakind;

import org.jspecify.annotations.NullMarked;
