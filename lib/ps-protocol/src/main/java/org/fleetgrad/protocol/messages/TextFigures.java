package org.fleetgrad.protocol.messages;

import org.jspecify.annotations.Nullable;

/**
 * What an evaluation says of a text only. If it is there, the loss and not the accuracy says which of two versions is better.
 *
 * @param tokensPerSample  tokens that the network predicts of each sample
 * @param bitsPerCharacter loss of all tokens, in bits, by the number of characters (Unicode code points) that they stand for, if
 *     known
 */
public record TextFigures(int tokensPerSample, @Nullable Double bitsPerCharacter) {}
