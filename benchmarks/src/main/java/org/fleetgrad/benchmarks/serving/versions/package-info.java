/** Versions of a training in this process, and how much the answers of two versions differ. */
@NullMarked
package org.fleetgrad.benchmarks.serving.versions;

import org.jspecify.annotations.NullMarked;
