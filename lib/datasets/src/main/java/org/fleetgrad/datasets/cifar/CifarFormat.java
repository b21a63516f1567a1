package org.fleetgrad.datasets.cifar;

import java.util.List;

/**
 * The two formats of records by Krizhevsky, "Learning Multiple Layers of Features from Tiny Images" (2009): labels of one
 * byte each, then 32 x 32 pixels of red, of green and of blue.
 */
public enum CifarFormat {
    /** One label. */
    CIFAR10(
            "cifar10",
            1,
            "cifar-10-binary.tar.gz",
            "batches.meta.txt",
            "data_batch_1.bin data_batch_2.bin data_batch_3.bin data_batch_4.bin data_batch_5.bin",
            "test_batch.bin",
            "airplane automobile bird cat deer dog frog horse ship truck"),

    /** A coarse label of 20 classes, which is not used, and a fine one of 100. */
    CIFAR100(
            "cifar100",
            2,
            "cifar-100-binary.tar.gz",
            "fine_label_names.txt",
            "train.bin",
            "test.bin",
            FineClasses.NAMES);

    /** Pixels in a row, and rows. */
    public static final int SIZE = 32;

    /** Red, green and blue. */
    public static final int CHANNELS = 3;

    static final int IMAGE_BYTES = CHANNELS * SIZE * SIZE;

    private final String datasetName;
    private final int labelBytes;
    private final String archive;
    private final String classesFile;
    private final String trainFiles;
    private final String testFile;
    private final String classes;

    CifarFormat(
            String datasetName,
            int labelBytes,
            String archive,
            String classesFile,
            String trainFiles,
            String testFile,
            String classes) {
        this.datasetName = datasetName;
        this.labelBytes = labelBytes;
        this.archive = archive;
        this.classesFile = classesFile;
        this.trainFiles = trainFiles;
        this.testFile = testFile;
        this.classes = classes;
    }

    /** Returns the name of the dataset. */
    public String datasetName() {
        return datasetName;
    }

    /** Returns the name of the archive in which the dataset is published. */
    public String archive() {
        return archive;
    }

    /** Returns the name of the file with the names of the classes, one a line. */
    public String classesFile() {
        return classesFile;
    }

    /** Returns the official names of the files of training records, in their order. */
    public List<String> trainFiles() {
        return words(trainFiles);
    }

    /** Returns the official name of the file of test records. */
    public String testFile() {
        return testFile;
    }

    /** Returns the names of the classes as published. */
    public List<String> classes() {
        return words(classes);
    }

    /** Returns the length of a record. */
    public int recordBytes() {
        return labelBytes + IMAGE_BYTES;
    }

    private static List<String> words(String text) {
        return List.of(text.split("\\s+"));
    }

    int labelBytes() {
        return labelBytes;
    }

    /** The fine classes of CIFAR-100, in the order of its {@code fine_label_names.txt}. */
    static final class FineClasses {

        static final String NAMES = """
                apple aquarium_fish baby bear beaver bed bee beetle bicycle bottle bowl boy bridge bus butterfly camel can
                castle caterpillar cattle chair chimpanzee clock cloud cockroach couch crab crocodile cup dinosaur dolphin
                elephant flatfish forest fox girl hamster house kangaroo keyboard lamp lawn_mower leopard lion lizard
                lobster man maple_tree motorcycle mountain mouse mushroom oak_tree orange orchid otter palm_tree pear
                pickup_truck pine_tree plain plate poppy porcupine possum rabbit raccoon ray road rocket rose sea seal
                shark shrew skunk skyscraper snail snake spider squirrel streetcar sunflower sweet_pepper table tank
                telephone television tiger tractor train trout tulip turtle wardrobe whale willow_tree wolf woman worm""";

        private FineClasses() {}
    }
}
