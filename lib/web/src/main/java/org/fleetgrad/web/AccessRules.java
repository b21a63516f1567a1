package org.fleetgrad.web;

import org.fleetgrad.access.RouteTable;
import org.fleetgrad.access.StartRule;

/**
 * What {@link WebConfiguration} must know of a service, which makes one as a static bean.
 *
 * @param startRule decides whether it may start, and has the prefix of its settings
 * @param routes    its permissions
 */
public record AccessRules(StartRule startRule, RouteTable routes) {}
