package org.fleetgrad.load;

/** How a load speaks with a server. */
public enum LoadProtocol {
    /** {@code POST /predict} of the inference API. */
    PREDICT,
    /** The Open Inference Protocol, version 2, over REST. */
    V2,
    /** The same over gRPC. */
    GRPC
}
