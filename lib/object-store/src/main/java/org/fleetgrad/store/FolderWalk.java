package org.fleetgrad.store;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Visits the files of a folder and its subfolders, while others may write and delete there. */
final class FolderWalk {

    /** Receives each file. */
    @FunctionalInterface
    interface Visitor {

        /** A {@link NoSuchFileException} means that the file was deleted meanwhile; the walk skips it. */
        void visit(String name, Path file) throws IOException;
    }

    private FolderWalk() {}

    /**
     * Visits the files whose names, relative to {@code folder} and with slashes, begin with {@code prefix}.
     *
     * @throws NoSuchFileException if there is no such folder
     */
    static void each(Path folder, String prefix, Visitor visitor) throws IOException {
        // Only the folder of the prefix has to be searched.
        Path start =
                folder.resolve(prefix.substring(0, prefix.lastIndexOf('/') + 1)).normalize();
        if (!Files.exists(folder)) {
            throw new NoSuchFileException(folder.toString());
        }
        if (!start.startsWith(folder)) {
            return;
        }
        Files.walkFileTree(start, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path visited, BasicFileAttributes attributes) {
                String name = folder.relativize(visited).toString().replace('\\', '/');
                boolean mayMatch = name.isEmpty() || (name + "/").startsWith(prefix) || prefix.startsWith(name + "/");
                return mayMatch ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (name.startsWith(prefix) && Files.isRegularFile(file)) {
                    try {
                        visitor.visit(name, file);
                    } catch (NoSuchFileException gone) {
                        return visitFileFailed(file, gone);
                    }
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failed) throws IOException {
                if (failed instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failed;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failed) throws IOException {
                return failed == null ? FileVisitResult.CONTINUE : visitFileFailed(visited, failed);
            }
        });
    }
}
