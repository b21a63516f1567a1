/** Downloads published datasets, resumes interrupted downloads, and checks the files against pinned checksums. */
@NullMarked
package org.fleetgrad.tools.fetch;

import org.jspecify.annotations.NullMarked;
