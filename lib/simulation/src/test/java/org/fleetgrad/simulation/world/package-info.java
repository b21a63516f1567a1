/** Worlds: trainings with everything in them, drawn from a seed and held to what is promised. */
package org.fleetgrad.simulation.world;
