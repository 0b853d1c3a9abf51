package io.widgetcensus.client;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A folder with one immutable file for each event: the origin in the first line, the event in the second. */
final class Queue {
    /** Limits of a batch; the service accepts 1,000 events and 1 MiB. */
    static final int BATCH_EVENTS = 100;
    private static final int BATCH_BYTES = 256 << 10;
    private static final int QUEUE_EVENTS = 1_000, QUEUE_BYTES = 2 << 20;

    private final File folder;

    Queue(File folder) {
        this.folder = folder;
    }

    /** Call this under the lock, so that any .aside file was left by a process that ended. */
    void append(Event event, String origin) throws IOException {
        File[] left = folder.listFiles((any, file) -> file.endsWith(".aside"));
        if (left != null) for (File file : left) file.delete();
        Storage.write(new File(folder, event.file), origin + "\n" + event.json + "\n");
        List<File> all = files();
        long bytes = 0;
        for (File file : all) bytes += file.length();
        while (all.size() > QUEUE_EVENTS || bytes > QUEUE_BYTES && all.size() > 1) {
            // Evict the oldest event. Evict a list only if there is nothing else, because a list says more.
            File oldest = all.get(0);
            for (int i = all.size() - 1; i >= 0; i--) if (all.get(i).getName().endsWith(".event")) oldest = all.get(i);
            bytes -= oldest.length();
            all.remove(oldest);
            oldest.delete();
        }
    }

    /** The files by age, according to the clock at the time. */
    private List<File> files() {
        List<File> files = new ArrayList<>();
        File[] all = folder.listFiles();
        if (all == null) return files;
        for (File file : all) if (!file.getName().endsWith(".aside")) files.add(file);
        files.sort((one, other) -> one.getName().compareTo(other.getName()));
        return files;
    }

    /** Returns the oldest event with others of the same origin; empty if nothing waits. */
    Batch next(int limit) {
        Batch batch = new Batch();
        for (File file : files()) {
            String[] lines;
            try {
                lines = Storage.read(file).split("\n", -1);
            } catch (IOException unreadable) {
                continue; // try again later
            }
            if (lines.length != 3) {
                file.delete(); // cut off by a power loss
                continue;
            }
            if (batch.origin == null) batch.origin = lines[0];
            if (!batch.origin.equals(lines[0])) continue;
            if (!batch.files.isEmpty() && (batch.files.size() >= limit || batch.bytes + lines[1].length() > BATCH_BYTES)) break;
            batch.files.add(file);
            batch.events.add(lines[1]);
            batch.bytes += lines[1].length();
        }
        return batch;
    }

    static final class Batch {
        private String origin;
        private final List<File> files = new ArrayList<>();
        private final List<String> events = new ArrayList<>();
        private int bytes;

        int size() {
            return files.size();
        }

        byte[] body() {
            String json = "{\"sent_at\":\"" + Event.now() + "\"," + origin + ",\"events\":[" + String.join(",", events) + "]}";
            return json.getBytes(StandardCharsets.UTF_8);
        }

        void delete() {
            for (File file : files) file.delete();
        }
    }
}
