/** Certificates for development: made here, trusted by whoever is told to. */
@NullMarked
package org.fleetgrad.cli.certificate;

import org.jspecify.annotations.NullMarked;
