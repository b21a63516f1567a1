/** The action-container contract of OpenWhisk: /init, /run, log framing, and what they carry. */
@NullMarked
package org.fleetgrad.worker.action;

import org.jspecify.annotations.NullMarked;
