/** The experiments as tables, pictures, CSV and JSON. */
@NullMarked
package org.fleetgrad.benchmarks.serving.report;

import org.jspecify.annotations.NullMarked;
