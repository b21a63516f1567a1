package org.fleetgrad.reports.chart;

/**
 * A vertical line through all panels, where something begins.
 *
 * @param x    its position on the horizontal axis
 * @param text what begins there
 */
public record Mark(double x, String text) {}
