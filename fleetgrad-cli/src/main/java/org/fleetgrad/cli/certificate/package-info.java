/** Makes certificates for development, which clients trust if they are given the certificate's file. */
@NullMarked
package org.fleetgrad.cli.certificate;

import org.jspecify.annotations.NullMarked;
