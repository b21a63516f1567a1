package org.fleetgrad.client;

/** A response, with the name of its call for messages. */
record CallResponse(String call, Transport.Response response) {}
