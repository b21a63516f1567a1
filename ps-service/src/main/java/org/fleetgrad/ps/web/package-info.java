/** HTTP: routes, problems, and the wiring of the features. */
@NullMarked
package org.fleetgrad.ps.web;

import org.jspecify.annotations.NullMarked;
