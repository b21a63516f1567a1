/** The experiments of answering while training: where to serve from, how workers disagree, how often answers are torn. */
@NullMarked
package org.fleetgrad.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
