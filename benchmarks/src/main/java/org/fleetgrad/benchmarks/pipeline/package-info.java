/** Measurements of pipelines: what schedules cost with stages that sleep, and with stages that compute. */
@NullMarked
package org.fleetgrad.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
