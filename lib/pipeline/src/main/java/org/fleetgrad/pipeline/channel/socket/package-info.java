/** A channel between two stages in different processes: frames as safetensors over one TCP connection. */
@NullMarked
package org.fleetgrad.pipeline.channel.socket;

import org.jspecify.annotations.NullMarked;
