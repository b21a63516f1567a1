/** Datasets in folders: the kinds that are understood, told apart by their files. */
@NullMarked
package org.fleetgrad.datasets.folder;

import org.jspecify.annotations.NullMarked;
