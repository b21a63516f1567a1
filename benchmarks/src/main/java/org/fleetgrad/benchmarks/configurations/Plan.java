package org.fleetgrad.benchmarks.configurations;

/**
 * What all runs share; results of different plans cannot be compared.
 *
 * @param epochs   passes over the dataset
 * @param maxSteps most steps of a run; 0 for no limit
 * @param places   where stages run
 * @param cut      how the network is cut
 */
record Plan(int epochs, long maxSteps, String places, String cut) {}
