/** The layers that networks are made of, as data: their tensors, how these begin, and the shapes that go in and out. */
@NullMarked
package org.fleetgrad.networks.layer;

import org.jspecify.annotations.NullMarked;
