/** The client of the parameter server: register, pull, push, push-and-pull, watch, retry. */
@NullMarked
package org.fleetgrad.client;

import org.jspecify.annotations.NullMarked;
