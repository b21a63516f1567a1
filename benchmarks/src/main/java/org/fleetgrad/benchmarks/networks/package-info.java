/** Forward and backward of networks, compared with PyTorch's own. */
@NullMarked
package org.fleetgrad.benchmarks.networks;

import org.jspecify.annotations.NullMarked;
