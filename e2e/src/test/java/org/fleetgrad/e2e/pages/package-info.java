/** Tests of the pages in a real browser: a Chromium without a window. */
@NullMarked
package org.fleetgrad.e2e.pages;

import org.jspecify.annotations.NullMarked;
