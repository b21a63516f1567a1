/** How many workers a run has while it pays to have them. */
@NullMarked
package org.fleetgrad.cli.elastic;

import org.jspecify.annotations.NullMarked;
