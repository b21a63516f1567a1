package org.fleetgrad.tools.fetch;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.datasets.cifar.CifarFormat;

/**
 * A published dataset: files at one address, as {@link org.fleetgrad.datasets.folder.DatasetFolder} reads them.
 *
 * @param name  name of the dataset
 * @param base  address of the files' folder, ending in a slash
 * @param files the files
 */
public record PublishedDataset(String name, URI base, List<PublishedFile> files) {

    /** Handwritten digits, by LeCun, Cortes and Burges. */
    public static final PublishedDataset MNIST = new PublishedDataset(
            "mnist",
            URI.create("https://ossci-datasets.s3.amazonaws.com/mnist/"),
            idx(
                    new Pin(9_912_422, "440fcabf73cc546fa21475e81ea370265605f56be210a4024d2ca8f203523609"),
                    new Pin(28_881, "3552534a0a558bbed6aed32b30c495cca23d567ec52cac8be1a0730e8010255c"),
                    new Pin(1_648_877, "8d422c7b0a1c1c79245a5bcf07fe86e33eeafee792b84584aec276f5a2dbc4e6"),
                    new Pin(4_542, "f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6")));

    /** Articles of clothing, by Xiao, Rasul and Vollgraf (Zalando). */
    public static final PublishedDataset FASHION_MNIST = new PublishedDataset(
            "fashion-mnist",
            URI.create("https://raw.githubusercontent.com/zalandoresearch/fashion-mnist/master/data/fashion/"),
            idx(
                    new Pin(26_421_880, "3aede38d61863908ad78613f6a32ed271626dd12800ba2636569512369268a84"),
                    new Pin(29_515, "a04f17134ac03560a47e3764e11b92fc97de4d1bfaf8ba1a3aa29af54cc90845"),
                    new Pin(4_422_102, "346e55b948d973a97e58d2351dde16a484bd415d4595297633bb08f03db6a073"),
                    new Pin(5_148, "67da17c76eaffca5446c3361aaab5c3cd6d1c2608764d35dfb1850b086bf8dd5")));

    /** Small colour images of ten classes, by Krizhevsky. */
    public static final PublishedDataset CIFAR10 = cifar(
            CifarFormat.CIFAR10,
            new Pin(170_052_171, "c4a38c50a1bc5f3a1c5537f2155ab9d68f9f25eb1ed8d9ddda3db29a59bca1dd"));

    /** Small colour images of a hundred classes, by Krizhevsky. */
    public static final PublishedDataset CIFAR100 = cifar(
            CifarFormat.CIFAR100,
            new Pin(168_513_733, "58a81ae192c23a4be8b1804d68e518ed807d710a4eb253b1f2a199162a40d8ec"));

    /** Cropped digits of house numbers, by Netzer and others. The publisher offers no TLS; the checksums are pinned. */
    public static final PublishedDataset SVHN = new PublishedDataset(
            "svhn",
            URI.create("http://ufldl.stanford.edu/housenumbers/"),
            List.of(
                    new Pin(182_040_794, "435e94d69a87fde4fd4d7f3dd208dfc32cb6ae8af2240d066de1df7508d083b8")
                            .file("train_32x32.mat"),
                    new Pin(64_275_384, "cdce80dfb2a2c4c6160906d0bd7c68ec5a99d7ca4831afa54f09182025b6a75b")
                            .file("test_32x32.mat")));

    private record Pin(long bytes, String sha256) {

        PublishedFile file(String name) {
            return new PublishedFile(name, bytes, sha256);
        }
    }

    /** Copies the list; adds the slash to the base that names need to be resolved below it. */
    public PublishedDataset {
        files = List.copyOf(files);
        base = base.toString().endsWith("/") ? base : URI.create(base + "/");
    }

    /** Returns all known datasets. */
    public static List<PublishedDataset> all() {
        return List.of(MNIST, FASHION_MNIST, CIFAR10, CIFAR100, SVHN);
    }

    /** Finds a dataset by its name. */
    public static Optional<PublishedDataset> named(String name) {
        return all().stream().filter(dataset -> dataset.name().equals(name)).findFirst();
    }

    /** Returns the same files at another address. */
    public PublishedDataset at(URI otherBase) {
        return new PublishedDataset(name, otherBase, files);
    }

    private static PublishedDataset cifar(CifarFormat format, Pin archive) {
        return new PublishedDataset(
                format.datasetName(),
                URI.create("https://www.cs.toronto.edu/~kriz/"),
                List.of(archive.file(format.archive())));
    }

    private static List<PublishedFile> idx(Pin trainImages, Pin trainLabels, Pin testImages, Pin testLabels) {
        return List.of(
                trainImages.file("train-images-idx3-ubyte.gz"),
                trainLabels.file("train-labels-idx1-ubyte.gz"),
                testImages.file("t10k-images-idx3-ubyte.gz"),
                testLabels.file("t10k-labels-idx1-ubyte.gz"));
    }

    /**
     * One file of a published dataset.
     *
     * @param name   name below the dataset's base URL, and in the target folder
     * @param bytes  exact length
     * @param sha256 pinned SHA-256
     */
    public record PublishedFile(String name, long bytes, String sha256) {}
}
