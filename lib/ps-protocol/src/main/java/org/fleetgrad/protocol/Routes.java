package org.fleetgrad.protocol;

/** Paths of ps-service. A path of the original design keeps its name. */
public final class Routes {

    public static final String REGISTER_WORKER = "/registerWorker";
    public static final String UNREGISTER_WORKER = "/unregisterWorker";
    public static final String ISSUE_TOKEN = "/issueToken";
    public static final String GET_VERSION = "/getVersion";
    public static final String GET_PARAMETER = "/getParameter";
    public static final String PUT_PARAMETER = "/putParameter";
    public static final String PUT_GRADIENT = "/putGradient";
    public static final String SETTLE_GRADIENT = "/settleGradient";
    public static final String STAGED_GRADIENTS = "/stagedGradients";
    public static final String PASS_STEP = "/passStep";
    public static final String GET_ACCURACY = "/getAccuracy";
    public static final String PUT_ACCURACY = "/putAccuracy";
    public static final String PUT_BEST = "/putBest";
    public static final String PUT_WORK = "/putWork";
    public static final String ADD_WORK = "/addWork";
    public static final String NEXT_SHARD = "/nextShard";
    public static final String COMPLETE_SHARD = "/completeShard";
    public static final String ROLLBACK = "/rollback";
    public static final String STATUS = "/status";
    public static final String EVENTS = "/events";
    public static final String HISTORY = "/history";
    public static final String EARLIER_RUNS = "/earlierRuns";

    /** The page for people; inference-api has one too. */
    public static final String PAGE = "/";

    /** Scripts, styles and pictures of the page. */
    public static final String PAGE_FILE = "/assets/{name}";

    private Routes() {}
}
