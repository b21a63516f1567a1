package org.fleetgrad.inference.completion;

import org.fleetgrad.serving.completion.CompletionRequest;

/**
 * A request for a completion.
 *
 * @param request      the text to continue
 * @param isStreamed   whether parts are sent as they come
 * @param includeUsage whether a stream ends with the numbers of tokens
 */
public record CompletionQuery(CompletionRequest request, boolean isStreamed, boolean includeUsage) {}
