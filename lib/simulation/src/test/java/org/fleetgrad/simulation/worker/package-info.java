/** The workers of simulated trainings: the real training loop, on samples that are numbers. */
package org.fleetgrad.simulation.worker;
