package org.fleetgrad.mlflow;

/**
 * A run that MLflow knows.
 *
 * @param experiment   number of its experiment
 * @param id           its own
 * @param artifactsUri where its artifacts are stored, as MLflow says it
 */
record BegunRun(String experiment, String id, String artifactsUri) {}
