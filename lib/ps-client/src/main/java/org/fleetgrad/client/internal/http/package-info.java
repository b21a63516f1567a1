/**
 * How requests reach a server: our own channels for plain HTTP and Unix domain sockets, a client library for TLS and
 * proxies.
 */
@NullMarked
package org.fleetgrad.client.internal.http;

import org.jspecify.annotations.NullMarked;
