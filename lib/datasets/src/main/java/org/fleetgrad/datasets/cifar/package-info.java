/** The binary records in which CIFAR-10 and CIFAR-100 are published. */
@NullMarked
package org.fleetgrad.datasets.cifar;

import org.jspecify.annotations.NullMarked;
