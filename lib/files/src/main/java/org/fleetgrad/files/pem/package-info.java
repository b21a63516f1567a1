/** Certificates in PEM files, and the TLS context that trusts them. */
@NullMarked
package org.fleetgrad.files.pem;

import org.jspecify.annotations.NullMarked;
