/** Access control before the routes of a Spring Boot service on servlets. */
@NullMarked
package org.fleetgrad.access.web;

import org.jspecify.annotations.NullMarked;
