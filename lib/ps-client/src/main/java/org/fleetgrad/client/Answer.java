package org.fleetgrad.client;

/** A response, with the name of its call for messages. */
record Answer(String call, Transport.Response response) {}
