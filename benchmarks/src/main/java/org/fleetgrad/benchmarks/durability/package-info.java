/** What durability costs, and how soon a server is back. */
@NullMarked
package org.fleetgrad.benchmarks.durability;

import org.jspecify.annotations.NullMarked;
