package com.example.widgetcensus; // yours

import android.appwidget.AppWidgetManager;
import android.appwidget.AppWidgetProviderInfo;
import android.content.Context;
import android.content.pm.ApplicationInfo;
import android.content.pm.PackageInfo;
import android.content.pm.PackageManager;
import android.os.Build;
import android.provider.Settings;
import android.util.Log;
import androidx.work.BackoffPolicy;
import androidx.work.Constraints;
import androidx.work.ExistingWorkPolicy;
import androidx.work.NetworkType;
import androidx.work.OneTimeWorkRequest;
import androidx.work.WorkManager;
import androidx.work.Worker;
import androidx.work.WorkerParameters;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/**
 * Tells Widget Census which widgets of this app are on the home screen. Android 8 (API 26) or newer, and androidx.work.
 *
 * <p>Every call keeps one event as a file and returns; {@link Sender} sends them when there is a network. No call throws.
 * {@code BuildConfig} is the app's: import it where its package is another one.
 */
public final class WidgetCensus {
    /** Where to send, and with which write key: yours. A release has nothing of the debug build's. */
    static String url = BuildConfig.DEBUG ? "http://10.0.2.2:8080" : "https://census.example.com";
    static String key = BuildConfig.DEBUG ? "wc_write_…" : "wc_write_…";

    /** Of one batch; the door takes 1,000 and 1 MiB. */
    private static final int BATCH_EVENTS = 100, BATCH_BYTES = 256 << 10;
    /** Of all that waits. */
    private static final int QUEUE_EVENTS = 1_000, QUEUE_BYTES = 2 << 20;
    /** Of an answer: read, and written to the log. */
    private static final int ANSWER_CHARACTERS = 1_000, LOGGED_CHARACTERS = 400;
    /** A service that wants more is misunderstood, or broken. */
    private static final long PAUSE_SECONDS = 3_600;
    private static final String NAME = "widget-census";

    private WidgetCensus() {}

    /** The complete list: when the app comes to the foreground. */
    public static void report(Context context) {
        String content;
        try {
            AppWidgetManager manager = AppWidgetManager.getInstance(context);
            if (manager == null) return; // a device without home screen widgets
            List<String> widgets = new ArrayList<>();
            for (AppWidgetProviderInfo info : manager.getInstalledProvidersForPackage(context.getPackageName(), null)) {
                for (int instance : manager.getAppWidgetIds(info.provider)) {
                    widgets.add(widget(info.provider.getClassName(), instance));
                }
            }
            content = "\"widgets\":[" + String.join(",", widgets) + "]";
        } catch (RuntimeException failure) {
            // Never an empty list: that would say that every widget was removed.
            content = "\"error\":{\"domain\":" + text(failure.getClass().getName()) + ",\"code\":0}";
        }
        append(context, "widgets_reported", content);
    }

    /** The user has placed it: its configuration ended with RESULT_OK. onUpdate proves nothing, it is called for phantoms, too. */
    public static void installed(Context context, Class<?> provider, int instance) {
        append(context, "widget_installed", provider, instance);
    }

    /** From onDeleted, for each id. */
    public static void removed(Context context, Class<?> provider, int instance) {
        append(context, "widget_removed", provider, instance);
    }

    /** The user has changed its settings. */
    public static void configured(Context context, Class<?> provider, int instance) {
        append(context, "widget_configured", provider, instance);
    }

    /** The user tapped it: the best proof that it is on a screen. */
    public static void opened(Context context, Class<?> provider, int instance) {
        append(context, "widget_opened", provider, instance);
    }

    /** From onRestored. */
    public static void restored(Context context, int[] oldInstances, int[] newInstances) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(oldInstances.length, newInstances.length); i++) {
            names.add("\"" + oldInstances[i] + "\":\"" + newInstances[i] + "\"");
        }
        if (!names.isEmpty()) append(context, "widgets_restored", "\"instances\":{" + String.join(",", names) + "}");
    }

    /**
     * The user objects: deletes what waits, keeps and sends nothing until {@link #resume}, and has the service forget the device.
     *
     * @return false where the disk or WorkManager failed: call it again. More calls than one do no harm.
     */
    public static boolean forget(Context context) {
        try {
            List<String> ids = locked(context, folder -> {
                List<String> all = ids(context, folder);
                if (!all.get(0).isEmpty()) {
                    all.add(all.get(0));
                    all.set(0, "");
                    // Before anything is deleted: if the process ends here, the sender goes on.
                    write(new File(folder, "device"), String.join("\n", all));
                }
                empty(folder);
                return all;
            });
            if (ids.size() > 1) ask(context, Forgetter.class, ExistingWorkPolicy.REPLACE); // at once, not when a failed one would be tried again
            return true;
        } catch (IOException | RuntimeException failure) {
            Log.w(NAME, "the objection was not kept", failure);
            return false;
        }
    }

    /**
     * The user agrees again. From now on the device has a new id: the service goes on dropping what comes under the old one.
     *
     * @return false where the disk failed: call it again. Until then nothing is kept.
     */
    public static boolean resume(Context context) {
        try {
            locked(context, folder -> {
                List<String> all = ids(context, folder);
                if (all.get(0).isEmpty()) {
                    all.set(0, UUID.randomUUID().toString());
                    write(new File(folder, "device"), String.join("\n", all));
                }
                return all;
            });
            return true;
        } catch (IOException | RuntimeException failure) {
            Log.w(NAME, "nothing is sent yet", failure);
            return false;
        }
    }

    /** The queue, and the installation: it would join what is sent after {@link #resume} to what was sent before. */
    private static void empty(File folder) {
        new File(folder, "installation").delete();
        File[] all = new File(folder, "queue").listFiles();
        if (all != null) for (File file : all) file.delete();
    }

    private static void append(Context context, String type, Class<?> provider, int instance) {
        append(context, type, "\"widget\":" + widget(provider.getName(), instance));
    }

    /** Returns the event's id once it is kept, or null. */
    static String append(Context context, String type, String content) {
        try {
            String id = UUID.randomUUID().toString();
            Instant now = now();
            String event = "{\"id\":\"" + id + "\",\"type\":\"" + type + "\",\"at\":\"" + now + "\",\"source\":\"app\"," + content + "}";
            List<String> ids = locked(context, folder -> {
                List<String> all = ids(context, folder);
                if (all.get(0).isEmpty()) return all; // the user objects
                String sender = sender(context, all.get(0), folder);
                new Queue(folder).append(now.toEpochMilli() + "-" + id, sender, event, type.equals("widgets_reported"));
                return all;
            });
            boolean isKept = !ids.get(0).isEmpty();
            // What is appended while the last batch is under way may wait for the next call, such as the next report.
            if (isKept) ask(context, Sender.class, ExistingWorkPolicy.KEEP);
            if (ids.size() > 1) ask(context, Forgetter.class, ExistingWorkPolicy.KEEP);
            return isKept ? id : null;
        } catch (IOException | RuntimeException failure) {
            Log.w(NAME, "an event was not kept", failure); // an app must not crash for being counted
            return null;
        }
    }

    /** Asks for a sender or a forgetter: one of each at a time, with a network, later and later while it fails. */
    private static void ask(Context context, Class<? extends Courier> courier, ExistingWorkPolicy policy) {
        Constraints network = new Constraints.Builder().setRequiredNetworkType(NetworkType.CONNECTED).build();
        OneTimeWorkRequest work = new OneTimeWorkRequest.Builder(courier).setConstraints(network)
                .setBackoffCriteria(BackoffPolicy.EXPONENTIAL, 30, TimeUnit.SECONDS).build();
        WorkManager.getInstance(context).enqueueUniqueWork(courier == Sender.class ? NAME : NAME + "-forget", policy, work);
    }

    /**
     * Who tells: app, device and installation, as they are now. It is kept with each event, and a batch has events with the same one:
     * what was heard before a restart or an update must not be told as if it had been heard after it.
     */
    private static String sender(Context context, String device, File folder) throws IOException {
        PackageInfo app;
        try {
            app = context.getPackageManager().getPackageInfo(context.getPackageName(), 0);
        } catch (PackageManager.NameNotFoundException impossible) {
            throw new IOException(impossible);
        }
        return "\"app\":{\"id\":" + text(context.getPackageName()) + ",\"version\":" + text(String.valueOf(app.versionName))
                + (isDebuggable(context) ? ",\"channel\":\"debug\"" : "") + "},\"device\":{\"id\":" + text(device) + ",\"platform\":\"android\",\"os_version\":"
                + text(Build.VERSION.RELEASE) + ",\"os_build\":" + text(Build.ID) + "},\"installation\":{" + installation(context, app, folder) + "}";
    }

    private static boolean isDebuggable(Context context) {
        return (context.getApplicationInfo().flags & ApplicationInfo.FLAG_DEBUGGABLE) != 0;
    }

    /**
     * The device's id, which is empty while the user objects, and then the ids that the service has yet to forget: the lines of a file.
     * Without the file it is ANDROID_ID, which differs for each app's signature and survives a reinstall, not a new phone.
     */
    private static List<String> ids(Context context, File folder) throws IOException {
        File file = new File(folder, "device");
        if (file.exists()) return new ArrayList<>(Arrays.asList(read(file).split("\n", -1)));
        String device = Settings.Secure.getString(context.getContentResolver(), Settings.Secure.ANDROID_ID);
        if (device == null) throw new IOException("the device has no id");
        return new ArrayList<>(Arrays.asList(device));
    }

    /** One life of the app on this device, in a folder that no backup takes; it ends when the app or its data are deleted. */
    private static String installation(Context context, PackageInfo app, File folder) throws IOException {
        String boot;
        try {
            boot = String.valueOf(Settings.Global.getInt(context.getContentResolver(), Settings.Global.BOOT_COUNT));
        } catch (Settings.SettingNotFoundException unknown) {
            boot = "";
        }
        File file = new File(folder, "installation");
        if (!file.exists()) {
            // If the app was updated already, or the user objected before, its first launch was long before this one, and is not known.
            boolean isFirst = app.firstInstallTime == app.lastUpdateTime && !new File(folder, "device").exists();
            write(file, UUID.randomUUID() + "\n" + (isFirst ? now() : "") + "\n" + boot + "\n");
        }
        String[] kept = read(file).split("\n", -1); // id, first launch (or nothing), boot at our first call (or nothing)
        if (kept.length < 3) {
            file.delete(); // cut off by a power loss
            throw new IOException("the installation could not be read");
        }
        boolean isKnown = !boot.isEmpty() && !kept[2].isEmpty();
        String rebooted = "";
        if (isKnown && !boot.equals(kept[2])) rebooted = ",\"rebooted\":true";
        // Not since our first call; that says something only if this was the app's first launch.
        if (isKnown && boot.equals(kept[2]) && !kept[1].isEmpty()) rebooted = ",\"rebooted\":false";
        return "\"id\":\"" + kept[0] + "\"" + (kept[1].isEmpty() ? "" : ",\"first_launched_at\":\"" + kept[1] + "\"") + rebooted;
    }

    private static String widget(String kind, int instance) {
        return "{\"kind\":" + text(kind) + ",\"instance\":\"" + instance + "\"}";
    }

    /** A string of JSON. */
    private static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char character : value.toCharArray()) {
            if (character == '"' || character == '\\') quoted.append('\\').append(character);
            else if (character < ' ') quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) character));
            else quoted.append(character);
        }
        return quoted.append('"').toString();
    }

    private static Instant now() {
        return Instant.now().truncatedTo(ChronoUnit.MILLIS);
    }

    private interface Change {
        List<String> in(File folder) throws IOException;
    }

    /** One change of our folder at a time, in all processes of the app: receivers may run in one of their own. */
    private static synchronized List<String> locked(Context context, Change change) throws IOException {
        File folder = folder(context);
        try (FileChannel channel = FileChannel.open(new File(folder, "lock").toPath(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock ignored = channel.lock()) {
            return change.in(folder);
        }
    }

    private static File folder(Context context) throws IOException {
        File folder = new File(context.getNoBackupFilesDir(), NAME), queue = new File(folder, "queue");
        if (!queue.isDirectory() && !queue.mkdirs() && !queue.isDirectory()) throw new IOException("cannot make " + queue);
        return folder;
    }

    private static String read(File file) throws IOException {
        return new String(Files.readAllBytes(file.toPath()), StandardCharsets.UTF_8);
    }

    /** The file is there whole, or not at all, whenever the process or the device ends. */
    private static void write(File file, String text) throws IOException {
        File aside = new File(file.getParentFile(), file.getName() + ".aside");
        try (FileOutputStream stream = new FileOutputStream(aside)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.getFD().sync();
            if (!aside.renameTo(file)) throw new IOException("cannot rename to " + file);
        } finally {
            aside.delete(); // where that failed, such as on a full disk; else it is not there any more
        }
    }

    /** A folder with a file for each event: the sender in its first line, the event in its second. They are never changed. */
    private static final class Queue {
        final File folder;

        Queue(File parent) {
            folder = new File(parent, "queue");
        }

        /** Under the lock: what lies aside now was left by a process that ended. */
        void append(String name, String sender, String event, boolean isReport) throws IOException {
            File[] left = folder.listFiles((any, file) -> file.endsWith(".aside"));
            if (left != null) for (File file : left) file.delete();
            write(new File(folder, name + (isReport ? ".report" : ".event")), sender + "\n" + event + "\n");
            List<File> all = files();
            long bytes = 0;
            for (File file : all) bytes += file.length();
            while (all.size() > QUEUE_EVENTS || bytes > QUEUE_BYTES && all.size() > 1) {
                // The oldest, and a list only where there is nothing else: it says more than an event.
                File oldest = all.get(0);
                for (int i = all.size() - 1; i >= 0; i--) if (all.get(i).getName().endsWith(".event")) oldest = all.get(i);
                bytes -= oldest.length();
                all.remove(oldest);
                oldest.delete();
            }
        }

        /** By age, as the clock was. */
        List<File> files() {
            List<File> files = new ArrayList<>();
            File[] all = folder.listFiles();
            if (all == null) return files;
            for (File file : all) if (!file.getName().endsWith(".aside")) files.add(file);
            files.sort((one, other) -> one.getName().compareTo(other.getName()));
            return files;
        }

        /** The oldest event with those that have the same sender; empty when nothing waits. */
        Batch next(int limit) {
            Batch batch = new Batch();
            for (File file : files()) {
                String[] lines;
                try {
                    lines = read(file).split("\n", -1);
                } catch (IOException unreadable) {
                    continue; // not now; another time
                }
                if (lines.length != 3) {
                    file.delete(); // cut off by a power loss
                    continue;
                }
                if (batch.sender == null) batch.sender = lines[0];
                if (!batch.sender.equals(lines[0])) continue;
                if (!batch.files.isEmpty() && (batch.files.size() >= limit || batch.bytes + lines[1].length() > BATCH_BYTES)) break;
                batch.files.add(file);
                batch.events.add(lines[1]);
                batch.bytes += lines[1].length();
            }
            return batch;
        }
    }

    private static final class Batch {
        String sender;
        final List<File> files = new ArrayList<>();
        final List<String> events = new ArrayList<>();
        int bytes;

        byte[] body() {
            return ("{\"sent_at\":\"" + now() + "\"," + sender + ",\"events\":[" + String.join(",", events) + "]}").getBytes(StandardCharsets.UTF_8);
        }

        void delete() {
            for (File file : files) file.delete();
        }
    }

    /** Sends the queue, a batch after the other. WorkManager makes it. */
    public static final class Sender extends Courier {
        private static final List<Integer> FINAL = Arrays.asList(400, 415, 422);

        public Sender(Context context, WorkerParameters parameters) {
            super(context, parameters, "pause");
        }

        @Override
        Result work(File folder) throws IOException {
            Context context = getApplicationContext();
            int limit = BATCH_EVENTS;
            while (!isStopped()) {
                List<String> ids = locked(context, any -> {
                    List<String> all = ids(context, any);
                    if (all.get(0).isEmpty()) empty(any); // the process ended while it was forgetting
                    return all;
                });
                // Not before or between events: a proxy that lets no DELETE through must not hold them up.
                if (ids.size() > 1) WidgetCensus.ask(context, Forgetter.class, ExistingWorkPolicy.KEEP);
                Batch batch = new Queue(folder).next(limit);
                if (batch.files.isEmpty()) return Result.success();
                Answer answer = ask("POST", "/v1/events", ids.get(0), batch.body());
                int status = answer.status;
                if (status == 202 || FINAL.contains(status) || status == 413 && batch.files.size() == 1) {
                    batch.delete();
                    limit = Math.min(limit * 2, BATCH_EVENTS);
                } else if (status == 413) {
                    limit = batch.files.size() / 2;
                } else if (status == 401 || status == 403) {
                    return Result.failure(); // kept for an app with a better key; the next event tries again
                } else {
                    return retry(answer); // 408, 429, 5xx, and what no service of ours says
                }
            }
            return Result.retry();
        }
    }

    /** Has the service forget devices, until it says of each that it has. WorkManager makes it. */
    public static final class Forgetter extends Courier {
        public Forgetter(Context context, WorkerParameters parameters) {
            super(context, parameters, "pause-forget");
        }

        @Override
        Result work(File folder) throws IOException {
            Context context = getApplicationContext();
            while (!isStopped()) {
                List<String> ids = locked(context, any -> ids(context, any));
                if (ids.size() == 1) return Result.success();
                String device = ids.get(1);
                Answer answer = ask("DELETE", "/v1/device", device, null);
                if (!answer.isTaken) return retry(answer);
                locked(context, any -> {
                    List<String> left = ids(context, any);
                    left.remove(device);
                    write(new File(any, "device"), String.join("\n", left));
                    return left;
                });
            }
            return Result.retry();
        }
    }

    /** What the two have in common: how they ask, and how long they leave the service alone. */
    private abstract static class Courier extends Worker {
        private final String pauseName;

        Courier(Context context, WorkerParameters parameters, String pauseName) {
            super(context, parameters);
            this.pauseName = pauseName;
        }

        abstract Result work(File folder) throws IOException;

        @Override
        public final Result doWork() {
            try {
                File folder = folder(getApplicationContext());
                return mustWait(new File(folder, pauseName)) ? Result.retry() : work(folder);
            } catch (IOException | RuntimeException silence) {
                // It may have arrived, and arrives once however often it is sent. What is wrong with a header may quote the key.
                Log.w(NAME, "no answer: " + discreet(silence.toString(), ""));
                return Result.retry();
            }
        }

        final Result retry(Answer answer) throws IOException {
            File pause = new File(folder(getApplicationContext()), pauseName);
            if (answer.seconds > 0) write(pause, String.valueOf(System.currentTimeMillis() + answer.seconds * 1_000));
            return Result.retry();
        }

        /** Whether the service has asked to be left alone until later. */
        private static boolean mustWait(File pause) {
            try {
                long left = Long.parseLong(read(pause)) - System.currentTimeMillis();
                return left > 0 && left <= PAUSE_SECONDS * 1_000; // else the clock was set
            } catch (IOException | NumberFormatException none) {
                return false;
            }
        }

        static final class Answer {
            int status;
            /** Of Retry-After. */
            long seconds;
            /** It is the service that says yes: a Wi-Fi's login page may say 200 or 204, but names no device. */
            boolean isTaken;
        }

        /** Logs what was not taken and why, and in debuggable builds what was. Without a body it is about the device. */
        final Answer ask(String method, String path, String device, byte[] body) throws IOException {
            String address = url.replaceAll("/+$", "") + path; // with two slashes it would be another path
            HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
            try {
                connection.setRequestMethod(method);
                connection.setInstanceFollowRedirects(false); // it would go on as a GET
                connection.setConnectTimeout(15_000);
                connection.setReadTimeout(30_000);
                connection.setRequestProperty("Authorization", "Bearer " + key);
                if (body == null) connection.setRequestProperty("Census-Device", device);
                else send(body, connection);
                Answer answer = new Answer();
                answer.status = connection.getResponseCode();
                answer.seconds = Math.min(connection.getHeaderFieldInt("Retry-After", 0), PAUSE_SECONDS);
                answer.isTaken = body == null
                        ? answer.status == 204 && device.equals(connection.getHeaderField("Census-Device")) : answer.status == 202;
                String line = method + " " + path + ": " + answer.status + " " + discreet(beginning(connection), device);
                if (!answer.isTaken) Log.w(NAME, line);
                else if (isDebuggable(getApplicationContext())) Log.i(NAME, line);
                return answer;
            } finally {
                connection.disconnect();
            }
        }

        /** For the log: an answer may repeat the key and the device that were sent, and be cut within them. */
        private static String discreet(String said, String device) {
            boolean isCut = said.length() > ANSWER_CHARACTERS;
            if (!key.isEmpty()) said = said.replace(key, "(key)");
            if (!device.isEmpty()) said = said.replace(device, "(device)");
            // The last characters may be the first ones of either.
            if (isCut) said = said.substring(0, Math.max(0, said.length() - Math.max(key.length(), device.length())));
            return said.substring(0, Math.min(said.length(), LOGGED_CHARACTERS)).replaceAll("\\p{Cntrl}+", " ");
        }

        private static void send(byte[] body, HttpURLConnection connection) throws IOException {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            if (body.length > 1_024) {
                connection.setRequestProperty("Content-Encoding", "gzip");
                body = gzip(body);
            }
            try (OutputStream stream = connection.getOutputStream()) {
                stream.write(body);
            }
        }

        /** What the answer says first; the rest is not read. */
        private static String beginning(HttpURLConnection connection) {
            char[] text = new char[ANSWER_CHARACTERS + 1];
            int count = 0;
            try (InputStream stream = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                Reader reader = stream == null ? new StringReader("") : new InputStreamReader(stream, StandardCharsets.UTF_8);
                for (int more = 0; more >= 0 && count < text.length; count += Math.max(more, 0)) {
                    more = reader.read(text, count, text.length - count);
                }
            } catch (IOException cut) {
                // The status says enough.
            }
            return new String(text, 0, count);
        }

        private static byte[] gzip(byte[] bytes) throws IOException {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream stream = new GZIPOutputStream(packed)) {
                stream.write(bytes);
            }
            return packed.toByteArray();
        }
    }
}
