/** Untrusted text, made safe to show. */
@NullMarked
package org.fleetgrad.files.text;

import org.jspecify.annotations.NullMarked;
