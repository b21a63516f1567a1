package org.fleetgrad.client;

/** An answer, with its call for messages. */
record Answer(String call, Transport.Response response) {}
