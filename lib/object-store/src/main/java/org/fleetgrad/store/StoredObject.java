package org.fleetgrad.store;

/**
 * An object in a store.
 *
 * @param name  its name
 * @param bytes its length
 */
public record StoredObject(String name, long bytes) {}
