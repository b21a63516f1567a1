package org.fleetgrad.ps.events;

import java.util.Map;

/**
 * Something that happened in the run.
 *
 * @param id   number of the event, from 1
 * @param type {@code registered}, {@code unregistered}, {@code expired}, {@code parameters}, {@code recovered},
 *     {@code checkpoint}, {@code progress} or {@code accuracy}
 * @param data the event's values
 */
public record RunEvent(long id, String type, Map<String, Object> data) {}
