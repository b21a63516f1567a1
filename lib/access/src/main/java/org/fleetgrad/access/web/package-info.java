/** Puts access before the routes of a service that is made of Spring Boot and servlets. */
@NullMarked
package org.fleetgrad.access.web;

import org.jspecify.annotations.NullMarked;
