/** How many workers a server keeps busy: trainings whose steps, messages and server's work take time, and nothing fails. */
package org.fleetgrad.simulation.scale;
