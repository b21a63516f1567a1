package org.fleetgrad.serving.evaluation;

import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.table.TableTarget.NumberTarget;

/**
 * What held-out samples say of a version's outputs.
 *
 * @param count   number of samples
 * @param classes name of each output's class, or label; empty where neither is predicted
 * @param number  the column that is predicted; empty where no number is
 */
record HeldOutTargets(int count, List<String> classes, Optional<NumberTarget> number) {}
