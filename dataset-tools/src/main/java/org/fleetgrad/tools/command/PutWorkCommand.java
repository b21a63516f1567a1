package org.fleetgrad.tools.command;

import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.messages.WorkMessages.PutWorkReply;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.store.ObjectStore;
import org.fleetgrad.store.S3Store;
import org.fleetgrad.store.StoreLocation;
import org.fleetgrad.store.StoreLocation.Bucket;
import org.fleetgrad.tools.command.Console.PrintedFields;
import org.fleetgrad.tools.work.DatasetWork;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Registers a dataset's shards at a parameter server as its work. */
@Command(
        name = "put-work",
        description = {
            "Gives a dataset's training shards to a parameter server as work, which it assigns to workers.",
            "Repeat the command to renew the addresses of the same shards or to change the number of epochs; finished"
                    + " shards stay finished.",
            "Addresses in a bucket expire after --expiry, at most 7 days: repeat the command before that. Addresses"
                    + " in a folder do not expire; workers must see the folder under the same path.",
            "If the server has keys, set an operator's: FLEETGRAD_ACCESS_KEY and FLEETGRAD_SECRET_KEY (or"
                    + " FLEETGRAD_SECRET_KEY_FILE). For https, FLEETGRAD_TRUST may name a PEM file to trust."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  ${COMMAND-FULL-NAME} s3://datasets/mnist --endpoint http://store:9000 --server http://ps-service:29500 --epochs 5",
            "  ${COMMAND-FULL-NAME} shards --server http://127.0.0.1:29500 --epochs 5"
        })
public final class PutWorkCommand implements Callable<Integer> {

    @Mixin
    private final Console console = new Console();

    @Mixin
    private final ServiceOptions service = new ServiceOptions();

    @Parameters(
            paramLabel = "LOCATION",
            description = "Where the shards and their manifest.json are: a folder, or s3://bucket/prefix.")
    private String location = "";

    @Option(
            names = "--server",
            defaultValue = "http://127.0.0.1:29500",
            paramLabel = "URL",
            description = "Address of the parameter server (default: ${DEFAULT-VALUE}).")
    private URI server = URI.create("http://127.0.0.1:29500");

    @Option(names = "--epochs", required = true, paramLabel = "N", description = "Passes over the dataset; 0: no end.")
    private long epochs;

    @Option(
            names = "--expiry",
            defaultValue = "7d",
            converter = DurationConverter.class,
            description = "How long the addresses are valid, up to 7d (default: ${DEFAULT-VALUE}).")
    private Duration expiry = Duration.ofDays(7);

    @Option(
            names = "--wait",
            defaultValue = "60s",
            converter = DurationConverter.class,
            description = "Longest wait for a server that is not up yet (default: ${DEFAULT-VALUE}).")
    private Duration timeout = Duration.ofSeconds(60);

    @Option(
            names = "--worker-endpoint",
            paramLabel = "URL",
            description = "Address of the S3 service as workers see it (default: --endpoint).")
    private @Nullable URI workerEndpoint;

    @Override
    public Integer call() throws IOException {
        WorkPlan plan;
        PsClient client;
        try {
            // Computed before the addresses are signed, so that none expires sooner.
            Instant end = Clock.systemUTC().instant().plus(expiry).truncatedTo(ChronoUnit.SECONDS);
            StoreLocation place = StoreLocation.parse("shards", location, service::variable);
            client = new PsClient(
                    server, ClientOptions.DEFAULT.withRetryFor(timeout).withEnvironment(System.getenv()));
            try (ObjectStore store = open(place)) {
                plan = new DatasetWork(store, place.namePrefix()).plan(epochs, expiry);
            }
            report(plan, client.putWork(plan), place instanceof Bucket ? Optional.of(end) : Optional.empty());
        } catch (IllegalArgumentException invalid) {
            throw console.usage(String.valueOf(invalid.getMessage()));
        }
        return 0;
    }

    private ObjectStore open(StoreLocation place) {
        URI seen = workerEndpoint;
        if (seen == null) {
            return place.open();
        }
        if (!(place instanceof Bucket bucket)) {
            throw new IllegalArgumentException("--worker-endpoint is for buckets; %s is a folder".formatted(place));
        }
        return new S3Store(bucket.endpoint(), seen, bucket.region(), bucket.name(), bucket.credentials());
    }

    private void report(WorkPlan plan, PutWorkReply reply, Optional<Instant> expires) {
        if (console.isJson()) {
            Map<String, Object> fields = PrintedFields.of(
                    "dataset", plan.dataset(),
                    "epochs", plan.epochs(),
                    "shards", reply.shards(),
                    "samples", reply.samples(),
                    "created", reply.created());
            expires.ifPresent(end -> fields.put("expires", end.toString()));
            console.printJson(fields);
            return;
        }
        console.print("%s: %d samples in %d shards, %s: %s%s"
                .formatted(
                        plan.dataset(),
                        reply.samples(),
                        reply.shards(),
                        plan.epochs() == 0 ? "without end" : plan.epochs() + " epochs",
                        reply.created() ? "the work begins" : "the work continues, at new addresses",
                        expires.map(end -> "; the addresses are valid until " + end)
                                .orElse("")));
    }
}
