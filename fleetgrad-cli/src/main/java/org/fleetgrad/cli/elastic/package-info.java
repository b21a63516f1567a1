/** Decides how many workers pay, by measuring what each of them adds. */
@NullMarked
package org.fleetgrad.cli.elastic;

import org.jspecify.annotations.NullMarked;
