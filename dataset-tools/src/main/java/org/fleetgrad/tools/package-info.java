/** The program {@code dataset-tools}: its root command, exit codes, errors and progress. */
@NullMarked
package org.fleetgrad.tools;

import org.jspecify.annotations.NullMarked;
