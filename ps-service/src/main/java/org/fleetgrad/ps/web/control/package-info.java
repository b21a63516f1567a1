/** The routes for workers, work, status, accuracy, events and rollback: JSON through Spring MVC. */
@NullMarked
package org.fleetgrad.ps.web.control;

import org.jspecify.annotations.NullMarked;
