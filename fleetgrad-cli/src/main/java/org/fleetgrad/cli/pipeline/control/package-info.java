/** The driver's connections to the programs of the stages. */
@NullMarked
package org.fleetgrad.cli.pipeline.control;

import org.jspecify.annotations.NullMarked;
