/** What each stage did when: as records, as text, and as a picture. */
@NullMarked
package org.fleetgrad.pipeline.timeline;

import org.jspecify.annotations.NullMarked;
