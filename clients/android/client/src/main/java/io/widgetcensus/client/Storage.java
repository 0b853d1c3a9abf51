package io.widgetcensus.client;

import android.content.Context;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

/** The client's folder, which is not in backups. Its names and contents are those of the file that apps used to paste. */
final class Storage {
    final File folder;

    Storage(Context context) throws IOException {
        folder = new File(context.getNoBackupFilesDir(), "widget-census");
        File queue = new File(folder, "queue");
        if (!queue.isDirectory() && !queue.mkdirs() && !queue.isDirectory()) throw new IOException("cannot make " + queue);
    }

    interface Change<T> {
        T in(Storage storage) throws IOException;
    }

    /** Locks the folder in all processes of the app, because receivers can run in a process of their own. */
    static <T> T locked(Context context, Change<T> change) throws IOException {
        synchronized (Storage.class) {
            Storage storage = new Storage(context);
            try (FileChannel channel = FileChannel.open(storage.file("lock").toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock ignored = channel.lock()) {
                return change.in(storage);
            }
        }
    }

    File file(String name) {
        return new File(folder, name);
    }

    Queue queue() {
        return new Queue(file("queue"));
    }

    /** Deletes the queue, and the installation, which would link events after {@link WidgetCensus#optIn} to earlier ones. */
    void empty() {
        file("installation").delete();
        File[] all = file("queue").listFiles();
        if (all != null) for (File file : all) file.delete();
    }

    String read(String name) throws IOException {
        return read(file(name));
    }

    void write(String name, String text) throws IOException {
        write(file(name), text);
    }

    static String read(File file) throws IOException {
        return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    }

    /** Writes a file that is complete or absent, whenever the process or the device stops. */
    static void write(File file, String text) throws IOException {
        File aside = new File(file.getParentFile(), file.getName() + ".aside");
        try (FileOutputStream stream = new FileOutputStream(aside)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.getFD().sync();
            if (!aside.renameTo(file)) throw new IOException("cannot rename to " + file);
        } finally {
            aside.delete(); // for when it failed, such as on a full disk; otherwise the file was renamed
        }
    }
}
