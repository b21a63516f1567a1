/** The HTTP side: controllers, their JSON, problems, health and metrics. */
@NullMarked
package org.fleetgrad.inference.web;

import org.jspecify.annotations.NullMarked;
