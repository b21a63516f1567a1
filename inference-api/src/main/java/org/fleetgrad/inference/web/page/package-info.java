/** The page on which people try the model. */
@NullMarked
package org.fleetgrad.inference.web.page;

import org.jspecify.annotations.NullMarked;
