/** A network of one's own, which joins those that Fleetgrad brings. */
@NullMarked
package org.example.net;

import org.jspecify.annotations.NullMarked;
