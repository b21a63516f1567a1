/** What a person does with the models that a run has kept: looks at them, takes one out, goes back to one. */
@NullMarked
package org.fleetgrad.cli.model;

import org.jspecify.annotations.NullMarked;
