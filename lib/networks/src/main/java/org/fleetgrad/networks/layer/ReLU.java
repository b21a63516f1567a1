package org.fleetgrad.networks.layer;

/** The greater of a value and 0. */
public record ReLU() implements Layer {}
