/** Datasets in folders: the supported kinds, distinguished by their files. */
@NullMarked
package org.fleetgrad.datasets.folder;

import org.jspecify.annotations.NullMarked;
