package org.fleetgrad.cli.chart;

/**
 * A vertical line through all panels, from where something begins.
 *
 * @param x    its place on the horizontal axis
 * @param text what begins there
 */
public record Mark(double x, String text) {}
