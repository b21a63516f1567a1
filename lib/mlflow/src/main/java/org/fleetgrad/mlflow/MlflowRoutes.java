package org.fleetgrad.mlflow;

/** The routes of MLflow's REST API that a run needs: <a href="https://mlflow.org/docs/latest/rest-api.html">its documentation</a>. */
final class MlflowRoutes {

    private static final String API = "/api/2.0/mlflow/";

    static final String EXPERIMENT_BY_NAME = API + "experiments/get-by-name";
    static final String CREATE_EXPERIMENT = API + "experiments/create";
    static final String CREATE_RUN = API + "runs/create";
    static final String SEARCH_RUNS = API + "runs/search";
    static final String LOG_BATCH = API + "runs/log-batch";
    static final String UPDATE_RUN = API + "runs/update";

    /** Takes the bytes of an artifact, if the server was started with {@code --serve-artifacts}. */
    static final String ARTIFACTS = "/api/2.0/mlflow-artifacts/artifacts";

    private MlflowRoutes() {}
}
