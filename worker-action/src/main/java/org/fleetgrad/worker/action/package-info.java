/** OpenWhisk's contract of action containers: /init, /run, their parameters and results, and the log's framing. */
@NullMarked
package org.fleetgrad.worker.action;

import org.jspecify.annotations.NullMarked;
