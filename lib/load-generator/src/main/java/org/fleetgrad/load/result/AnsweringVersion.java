package org.fleetgrad.load.result;

/**
 * The version of the model that responded.
 *
 * @param generation its history
 * @param version    its number in that history
 */
public record AnsweringVersion(String generation, long version) {}
