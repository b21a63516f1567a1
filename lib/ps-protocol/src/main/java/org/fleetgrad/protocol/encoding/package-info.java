/**
 * How the values of gradients and parameters travel in fewer bytes: encodings, and the error feedback that makes up for
 * their losses.
 */
@NullMarked
package org.fleetgrad.protocol.encoding;

import org.jspecify.annotations.NullMarked;
