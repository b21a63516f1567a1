/** The pages that services have for people: files of the class path, and the headers that protect them. */
@NullMarked
package org.fleetgrad.pages;

import org.jspecify.annotations.NullMarked;
