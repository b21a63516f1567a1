/** Follows the parameter server and keeps the newest version of the model ready to answer. */
@NullMarked
package org.fleetgrad.inference.model;

import org.jspecify.annotations.NullMarked;
