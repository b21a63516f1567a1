/** Checks the manifests of docker/kubernetes against each other, the programs and the documentation. */
@NullMarked
package org.fleetgrad.e2e.kubernetes;

import org.jspecify.annotations.NullMarked;
