/** Holds the manifests of docker/kubernetes to each other, to the programs and to the documentation. */
@NullMarked
package org.fleetgrad.e2e.kubernetes;

import org.jspecify.annotations.NullMarked;
