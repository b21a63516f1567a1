package org.fleetgrad.worker.colocated;

import java.util.OptionalLong;
import org.fleetgrad.serving.Classification;

/**
 * An answer to a prediction.
 *
 * @param network        complete name of the network
 * @param classification the images' classes, and the version that computed them
 * @param until          only with {@link ServeMode#LIVE}: the newest version whose load had begun when the answer was computed.
 *     If it equals the classification's version, no load overlapped; otherwise the answer may be torn
 */
record PredictResponse(String network, Classification classification, OptionalLong until) {}
