package org.fleetgrad.benchmarks.bench;

import java.util.List;
import java.util.stream.Stream;
import org.fleetgrad.benchmarks.durability.DurabilityCost;
import org.fleetgrad.benchmarks.durability.RecoveryTime;
import org.fleetgrad.benchmarks.exchange.BusyTail;
import org.fleetgrad.benchmarks.exchange.Model;
import org.fleetgrad.benchmarks.exchange.PushAndPull;
import org.fleetgrad.benchmarks.exchange.RequestRates;
import org.fleetgrad.benchmarks.exchange.ServerMemory;
import org.fleetgrad.benchmarks.figures.Result;
import org.fleetgrad.benchmarks.firstmodel.FirstModel;
import org.fleetgrad.benchmarks.footprint.ContainerFootprint;
import org.fleetgrad.benchmarks.footprint.WorkerFootprint;
import org.fleetgrad.benchmarks.inference.InferenceSpeed;
import org.fleetgrad.benchmarks.kernels.StepKernels;
import org.fleetgrad.benchmarks.pipeline.PipelineSchedules;
import org.fleetgrad.benchmarks.pipeline.PipelineSpeed;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.benchmarks.rivals.Ddp;
import org.fleetgrad.benchmarks.rivals.Ray;
import org.fleetgrad.benchmarks.rivals.Redis;
import org.fleetgrad.benchmarks.scale.PushScale;
import org.fleetgrad.benchmarks.tables.TablePreparation;
import org.fleetgrad.benchmarks.text.CompletionSpeed;
import org.fleetgrad.benchmarks.text.TransformerThroughput;
import org.fleetgrad.benchmarks.training.FrozenBytes;
import org.fleetgrad.benchmarks.training.GpuThroughput;
import org.fleetgrad.benchmarks.training.GraphThroughput;
import org.fleetgrad.benchmarks.training.NetworkLink;
import org.fleetgrad.benchmarks.training.NetworkThroughput;
import org.fleetgrad.benchmarks.training.NetworkTraining;
import org.fleetgrad.benchmarks.training.RowsBytes;
import org.fleetgrad.benchmarks.training.SlowLink;
import org.fleetgrad.benchmarks.training.TrainingThroughput;

/** All measurements, in the order of the table. */
final class Catalogue {

    /** The number of rounds of a measurement whose rounds are long. */
    private static final int FEW = 3;

    private static final int ONE = 1;
    private static final int MANY = 100;

    private Catalogue() {}

    /** Makes a measurement on its own workbench. */
    @FunctionalInterface
    interface Measurement {
        /** Returns one figure or several. A figure that this machine cannot measure is a result with the reason. */
        List<? extends Result> on(Workbench bench) throws Exception;
    }

    /** One measurement; it makes fewer rounds if they last long. */
    record Entry(String name, String what, int mostRounds, Measurement measurement) {

        Entry(String name, String what, Measurement measurement) {
            this(name, what, MANY, measurement);
        }
    }

    static List<Entry> all() {
        return List.of(
                new Entry(
                        "getVersion",
                        "requests for the version over 8 connections, per second",
                        bench -> List.of(new RequestRates(bench).getVersion())),
                new Entry(
                        "getParameter",
                        "pulls of LeNet-5 over 8 connections, per second",
                        bench -> List.of(new RequestRates(bench).getParameter())),
                new Entry(
                        "putGradient",
                        "pushes of LeNet-5's gradients over 8 connections, all applied, per second",
                        bench -> List.of(new RequestRates(bench).putGradient())),
                new Entry(
                        "pull-100mb",
                        "pull of a model of 100 MB over one connection",
                        bench -> List.of(new RequestRates(bench).pullLarge())),
                new Entry(
                        "push-pull-247kb",
                        "LeNet-5 pushed and pulled in one round trip, raw and through ps-client",
                        bench -> new PushAndPull(bench).measure(Model.SMALL)),
                new Entry(
                        "push-pull-100mb",
                        "the same with a model of 100 MB",
                        bench -> new PushAndPull(bench).measure(Model.LARGE)),
                new Entry(
                        "push-pull-p99",
                        "99th percentile of a push-and-pull while 4 workers compute",
                        bench -> List.of(new BusyTail(bench).measure())),
                new Entry(
                        "push-cost",
                        "a push-and-pull by 1 to 200 workers, and of 10^5 to 10^8 parameters; takes 5 minutes and 6 GB of memory",
                        ONE,
                        bench -> new PushScale(bench).measure()),
                new Entry(
                        "server-memory",
                        "ps-service's peak memory with a model of 100 MB under 4 connections",
                        bench -> List.of(new ServerMemory(bench).measure())),
                new Entry(
                        "kernels",
                        "a step of ResNet-18's size with each optimizer, compared with memory bandwidth and PyTorch",
                        bench -> new StepKernels(bench).measure()),
                new Entry(
                        "networks",
                        "forward and backward of LeNet-5, ResNet-18, ResNet-20 and VGG-11, compared with PyTorch; needs python3 with torch",
                        bench -> new NetworkThroughput(bench).measure()),
                new Entry(
                        "gpu",
                        "forward and backward of ResNet-18 on a GPU, compared with the processor; needs a GPU and docker/libtorch-cuda",
                        bench -> List.of(new GpuThroughput(bench).measure())),
                new Entry(
                        "graphs",
                        "forward and backward of exported modules, compared with the zoo's and with PyTorch; needs python3 with torch, torchvision",
                        bench -> new GraphThroughput(bench).measure()),
                new Entry(
                        "text",
                        "forward and backward of GPT-2 and a ViT, and completions, compared with PyTorch; needs python3 with torch, torchvision, transformers",
                        bench -> Stream.concat(
                                        new TransformerThroughput(bench).measure().stream(),
                                        new CompletionSpeed(bench).measure().stream())
                                .toList()),
                new Entry(
                        "networks-training",
                        "training of ResNet-18 with 2 workers, compared with no exchange and with PyTorch DDP",
                        FEW,
                        bench -> new NetworkTraining(bench).measure()),
                new Entry(
                        "networks-link",
                        "training of ResNet-18 with 2 workers behind 100 Mbit/s, with and without encodings",
                        ONE,
                        bench -> new NetworkLink(bench).measure()),
                new Entry(
                        "networks-memory",
                        "ps-service's peak memory with VGG-19's 575 MB",
                        ONE,
                        bench -> List.of(new ServerMemory(bench).vgg19())),
                new Entry(
                        "pipeline",
                        "makespan, bubble and live versions of each schedule, and VGG-11 in two stages",
                        bench -> Stream.concat(
                                        new PipelineSchedules(bench).measure().stream(),
                                        new PipelineSpeed(bench).measure().stream())
                                .toList()),
                new Entry(
                        "training",
                        "samples per second of 2 workers that push every batch, with and without overlap",
                        FEW,
                        bench -> new TrainingThroughput(bench).measure()),
                new Entry(
                        "first-model",
                        "seconds from Enter to 98% on MNIST, and the parts, compared with a PyTorch script; needs --mnist, and python3 with torch",
                        FEW,
                        bench -> new FirstModel(bench).measure()),
                new Entry(
                        "link",
                        "training of 2 workers behind 100 Mbit/s, with each encoding",
                        FEW,
                        bench -> new SlowLink(bench).measure()),
                new Entry(
                        "rows",
                        "bytes of a push of GPT-2's gradient as rows, with and without tied weights",
                        ONE,
                        bench -> new RowsBytes(bench).measure()),
                new Entry(
                        "freeze",
                        "bytes of a push and a pull of a ResNet-18 of which only the head is trained",
                        ONE,
                        bench -> new FrozenBytes(bench).measure()),
                new Entry(
                        "tables",
                        "rows per second of a table that is prepared, compared with reading its lines",
                        FEW,
                        bench -> new TablePreparation(bench).measure()),
                new Entry(
                        "ddp",
                        "training compared with PyTorch DDP over gloo; needs python3 with torch",
                        FEW,
                        bench -> List.of(new Ddp(bench).measure())),
                new Entry(
                        "ray",
                        "push-and-pull compared with a Ray actor; needs python3 with ray",
                        bench -> new Ray(bench).measure()),
                new Entry(
                        "redis",
                        "pulls and pushes compared with Redis' GET and SET; needs redis-server",
                        bench -> new Redis(bench).measure()),
                new Entry(
                        "inference",
                        "predictions per second compared with FastAPI, and beside a worker that trains; needs python3 with fastapi, uvicorn, torch",
                        FEW,
                        bench -> new InferenceSpeed(bench).measure()),
                new Entry(
                        "footprint",
                        "a worker's memory, and its start to the first accepted gradient",
                        bench -> new WorkerFootprint(bench).measure()),
                new Entry(
                        "durability",
                        "training with checkpoints and with a journal, compared with none",
                        FEW,
                        bench -> new DurabilityCost(bench).measure()),
                new Entry(
                        "recovery",
                        "time from kill -9 of a server with a journal of 256 MB to ready and to the first push",
                        FEW,
                        bench -> new RecoveryTime(bench).measure()),
                new Entry(
                        "container",
                        "the worker's image, and its jar in the Java runtime: start, warm activation, memory, size; needs Docker",
                        FEW,
                        bench -> new ContainerFootprint(bench).measure()));
    }
}
