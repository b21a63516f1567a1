/** Reads and writes the messages of the Open Inference Protocol, version 2, over REST. */
@NullMarked
package org.fleetgrad.inference.infer;

import org.jspecify.annotations.NullMarked;
