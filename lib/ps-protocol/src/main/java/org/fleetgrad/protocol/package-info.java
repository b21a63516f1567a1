/** The contract of the parameter server as constants: routes, header names, media types, rules of problems. */
@NullMarked
package org.fleetgrad.protocol;

import org.jspecify.annotations.NullMarked;
