/** Downloads published datasets, resumably, and checks them against pinned checksums. */
@NullMarked
package org.fleetgrad.tools.fetch;

import org.jspecify.annotations.NullMarked;
