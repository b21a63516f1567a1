/** What a load asks: bodies of held-out samples, the connections that carry them, and what the answers say. */
@NullMarked
package org.fleetgrad.cli.load.question;

import org.jspecify.annotations.NullMarked;
