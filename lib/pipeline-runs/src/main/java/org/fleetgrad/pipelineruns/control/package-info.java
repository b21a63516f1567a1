/** The driver's connections to the programs of the stages. */
@NullMarked
package org.fleetgrad.pipelineruns.control;

import org.jspecify.annotations.NullMarked;
