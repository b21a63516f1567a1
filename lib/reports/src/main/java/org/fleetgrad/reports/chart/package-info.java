/** Small charts over one horizontal axis, as SVG and as PNG. */
@NullMarked
package org.fleetgrad.reports.chart;

import org.jspecify.annotations.NullMarked;
