package org.fleetgrad.client;

/** An answer with the call it belongs to, for messages. */
record Answer(String call, Transport.Response response) {}
