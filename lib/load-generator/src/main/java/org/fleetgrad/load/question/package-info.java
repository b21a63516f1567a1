/** The requests of a load: bodies of held-out samples, their connections, and the verdicts on the responses. */
@NullMarked
package org.fleetgrad.load.question;

import org.jspecify.annotations.NullMarked;
