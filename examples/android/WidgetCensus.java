package com.example.widgetcensus; // change to yours

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
 * Reports to Widget Census which widgets of this app are on the home screen. Needs Android 8 (API 26) or newer, and androidx.work.
 *
 * <p>Every call stores one event as a file and returns; {@link Sender} sends the files when there is a network. No call throws.
 * {@code BuildConfig} is the app's; import it if it is in another package.
 */
public final class WidgetCensus {
    /** Your service and write key. Debug builds use the values before the colons, release builds those after them. */
    static String url = BuildConfig.DEBUG ? "http://10.0.2.2:8080" : "https://census.example.com";
    static String key = BuildConfig.DEBUG ? "wc_write_…" : "wc_write_…";

    /** Limits of a batch; the service accepts 1,000 events and 1 MiB. */
    private static final int BATCH_EVENTS = 100, BATCH_BYTES = 256 << 10;
    /** Limits of the queue. */
    private static final int QUEUE_EVENTS = 1_000, QUEUE_BYTES = 2 << 20;
    /** How many characters of a response are read, and how many are logged. */
    private static final int ANSWER_CHARACTERS = 1_000, LOGGED_CHARACTERS = 400;
    /** The longest accepted Retry-After; if a service seems to want more, it is misunderstood or broken. */
    private static final long PAUSE_SECONDS = 3_600;
    private static final String NAME = "widget-census";

    private WidgetCensus() {}

    /** Reports the complete list. Call this when the app comes to the foreground. */
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
            // Never send an empty list, which would mean that every widget was removed.
            content = "\"error\":{\"domain\":" + text(failure.getClass().getName()) + ",\"code\":0}";
        }
        append(context, "widgets_reported", content);
    }

    /** The user placed a widget: its configuration ended with RESULT_OK. Not for onUpdate, which is also called for phantoms. */
    public static void installed(Context context, Class<?> provider, int instance) {
        append(context, "widget_installed", provider, instance);
    }

    /** The user removed a widget. Call this from onDeleted, for each id. */
    public static void removed(Context context, Class<?> provider, int instance) {
        append(context, "widget_removed", provider, instance);
    }

    /** The user changed a widget's settings. */
    public static void configured(Context context, Class<?> provider, int instance) {
        append(context, "widget_configured", provider, instance);
    }

    /** The user tapped a widget, which is the best proof that it is on a screen. */
    public static void opened(Context context, Class<?> provider, int instance) {
        append(context, "widget_opened", provider, instance);
    }

    /** Android gave widgets new ids. Call this from onRestored. */
    public static void restored(Context context, int[] oldInstances, int[] newInstances) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(oldInstances.length, newInstances.length); i++) {
            names.add("\"" + oldInstances[i] + "\":\"" + newInstances[i] + "\"");
        }
        if (!names.isEmpty()) append(context, "widgets_restored", "\"instances\":{" + String.join(",", names) + "}");
    }

    /**
     * The user objects. Deletes the waiting events, stores and sends nothing until {@link #resume}, and has the service erase the device.
     *
     * @return false if the disk or WorkManager failed; call it again. Repeated calls do no harm.
     */
    public static boolean forget(Context context) {
        try {
            List<String> ids = locked(context, folder -> {
                List<String> all = ids(context, folder);
                if (!all.get(0).isEmpty()) {
                    all.add(all.get(0));
                    all.set(0, "");
                    // Write this before deleting anything. If the process ends here, the sender deletes the rest.
                    write(new File(folder, "device"), String.join("\n", all));
                }
                empty(folder);
                return all;
            });
            if (ids.size() > 1) ask(context, Forgetter.class, ExistingWorkPolicy.REPLACE); // at once, instead of when earlier work would be retried
            return true;
        } catch (IOException | RuntimeException failure) {
            Log.w(NAME, "the objection could not be stored", failure);
            return false;
        }
    }

    /**
     * The user agrees again. The device gets a new id, because the service still drops events under the old one.
     *
     * @return false if the disk failed; call it again. Until then nothing is stored.
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
            Log.w(NAME, "the agreement could not be stored, so nothing is sent yet", failure);
            return false;
        }
    }

    /** Deletes the queue, and the installation, which would link events after {@link #resume} to earlier ones. */
    private static void empty(File folder) {
        new File(folder, "installation").delete();
        File[] all = new File(folder, "queue").listFiles();
        if (all != null) for (File file : all) file.delete();
    }

    private static void append(Context context, String type, Class<?> provider, int instance) {
        append(context, type, "\"widget\":" + widget(provider.getName(), instance));
    }

    /** Stores an event. Returns its id, or null if it was not stored. */
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
            // An event that is appended while the last batch is being sent might wait for the next call, such as the next report.
            if (isKept) ask(context, Sender.class, ExistingWorkPolicy.KEEP);
            if (ids.size() > 1) ask(context, Forgetter.class, ExistingWorkPolicy.KEEP);
            return isKept ? id : null;
        } catch (IOException | RuntimeException failure) {
            Log.w(NAME, "an event could not be stored", failure); // counting must not crash the app
            return null;
        }
    }

    /** Schedules a sender or a forgetter: one of each at a time, when there is a network, with backoff while it fails. */
    private static void ask(Context context, Class<? extends Courier> courier, ExistingWorkPolicy policy) {
        Constraints network = new Constraints.Builder().setRequiredNetworkType(NetworkType.CONNECTED).build();
        OneTimeWorkRequest work = new OneTimeWorkRequest.Builder(courier).setConstraints(network)
                .setBackoffCriteria(BackoffPolicy.EXPONENTIAL, 30, TimeUnit.SECONDS).build();
        WorkManager.getInstance(context).enqueueUniqueWork(courier == Sender.class ? NAME : NAME + "-forget", policy, work);
    }

    /**
     * The app, device and installation as they are now. Each event is stored with its sender, and a batch has events of one sender only,
     * because an event from before a restart or an update must not look like one from after it.
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
     * The lines of a file: the device's id, which is empty while the user objects, then the ids that the service has yet to erase.
     * Without the file, the id is ANDROID_ID. It is different for each signing key, and survives a reinstall but not a new phone.
     */
    private static List<String> ids(Context context, File folder) throws IOException {
        File file = new File(folder, "device");
        if (file.exists()) return new ArrayList<>(Arrays.asList(read(file).split("\n", -1)));
        String device = Settings.Secure.getString(context.getContentResolver(), Settings.Secure.ANDROID_ID);
        if (device == null) throw new IOException("the device has no id");
        return new ArrayList<>(Arrays.asList(device));
    }

    /** One life of the app on this device. It ends when the app or its data are deleted; its folder is not in backups. */
    private static String installation(Context context, PackageInfo app, File folder) throws IOException {
        String boot;
        try {
            boot = String.valueOf(Settings.Global.getInt(context.getContentResolver(), Settings.Global.BOOT_COUNT));
        } catch (Settings.SettingNotFoundException unknown) {
            boot = "";
        }
        File file = new File(folder, "installation");
        if (!file.exists()) {
            // If the app was updated before, or the user has objected, the first launch was earlier and is unknown.
            boolean isFirst = app.firstInstallTime == app.lastUpdateTime && !new File(folder, "device").exists();
            write(file, UUID.randomUUID() + "\n" + (isFirst ? now() : "") + "\n" + boot + "\n");
        }
        String[] kept = read(file).split("\n", -1); // id, first launch or "", boot at our first call or ""
        if (kept.length < 3) {
            file.delete(); // cut off by a power loss
            throw new IOException("the installation could not be read");
        }
        boolean isKnown = !boot.isEmpty() && !kept[2].isEmpty();
        String rebooted = "";
        if (isKnown && !boot.equals(kept[2])) rebooted = ",\"rebooted\":true";
        // No restart since our first call. That is known only if our first call was the app's first launch.
        if (isKnown && boot.equals(kept[2]) && !kept[1].isEmpty()) rebooted = ",\"rebooted\":false";
        return "\"id\":\"" + kept[0] + "\"" + (kept[1].isEmpty() ? "" : ",\"first_launched_at\":\"" + kept[1] + "\"") + rebooted;
    }

    private static String widget(String kind, int instance) {
        return "{\"kind\":" + text(kind) + ",\"instance\":\"" + instance + "\"}";
    }

    /** Quotes a string for JSON. */
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

    /** Locks our folder in all processes of the app, because receivers can run in a process of their own. */
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

    /** Writes a file that is complete or absent, whenever the process or the device stops. */
    private static void write(File file, String text) throws IOException {
        File aside = new File(file.getParentFile(), file.getName() + ".aside");
        try (FileOutputStream stream = new FileOutputStream(aside)) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
            stream.getFD().sync();
            if (!aside.renameTo(file)) throw new IOException("cannot rename to " + file);
        } finally {
            aside.delete(); // for when it failed, such as on a full disk; otherwise the file was renamed
        }
    }

    /** A folder with one immutable file for each event: the sender in the first line, the event in the second. */
    private static final class Queue {
        final File folder;

        Queue(File parent) {
            folder = new File(parent, "queue");
        }

        /** Call this under the lock, so that any .aside file was left by a process that ended. */
        void append(String name, String sender, String event, boolean isReport) throws IOException {
            File[] left = folder.listFiles((any, file) -> file.endsWith(".aside"));
            if (left != null) for (File file : left) file.delete();
            write(new File(folder, name + (isReport ? ".report" : ".event")), sender + "\n" + event + "\n");
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
        List<File> files() {
            List<File> files = new ArrayList<>();
            File[] all = folder.listFiles();
            if (all == null) return files;
            for (File file : all) if (!file.getName().endsWith(".aside")) files.add(file);
            files.sort((one, other) -> one.getName().compareTo(other.getName()));
            return files;
        }

        /** Returns the oldest event with others of the same sender; empty if nothing waits. */
        Batch next(int limit) {
            Batch batch = new Batch();
            for (File file : files()) {
                String[] lines;
                try {
                    lines = read(file).split("\n", -1);
                } catch (IOException unreadable) {
                    continue; // try again later
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

    /** Sends the queue batch by batch. WorkManager creates it. */
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
                    if (all.get(0).isEmpty()) empty(any); // the process ended during forget()
                    return all;
                });
                // As separate work, because a proxy that blocks DELETE must not hold up events.
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
                    return Result.failure(); // keep the events for an app with a working key; the next event retries
                } else {
                    return retry(answer); // 408, 429, 5xx, and anything that our service never returns
                }
            }
            return Result.retry();
        }
    }

    /** Has the service erase devices until it has confirmed each. WorkManager creates it. */
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

    /** Sends requests and pauses after failures, for both workers. */
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
                // The request might have arrived, but repeats don't count twice. An error about a header can quote the key.
                Log.w(NAME, "no answer: " + discreet(silence.toString(), ""));
                return Result.retry();
            }
        }

        final Result retry(Answer answer) throws IOException {
            File pause = new File(folder(getApplicationContext()), pauseName);
            if (answer.seconds > 0) write(pause, String.valueOf(System.currentTimeMillis() + answer.seconds * 1_000));
            return Result.retry();
        }

        /** Whether the service has asked to wait longer. */
        private static boolean mustWait(File pause) {
            try {
                long left = Long.parseLong(read(pause)) - System.currentTimeMillis();
                return left > 0 && left <= PAUSE_SECONDS * 1_000; // otherwise the clock was changed
            } catch (IOException | NumberFormatException none) {
                return false;
            }
        }

        static final class Answer {
            int status;
            /** From Retry-After. */
            long seconds;
            /** Whether the service accepted it. A Wi-Fi login page can return 200 or 204, but doesn't name the device. */
            boolean isTaken;
        }

        /** Sends a request and logs failures, and in debuggable builds successes, too. Without a body, the request is about the device. */
        final Answer ask(String method, String path, String device, byte[] body) throws IOException {
            String address = url.replaceAll("/+$", "") + path; // two slashes would be another path
            HttpURLConnection connection = (HttpURLConnection) new URL(address).openConnection();
            try {
                connection.setRequestMethod(method);
                connection.setInstanceFollowRedirects(false); // a redirect would turn it into a GET
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

        /** Masks a response for the log. It can repeat the key and the device that were sent, and be truncated inside them. */
        private static String discreet(String said, String device) {
            boolean isCut = said.length() > ANSWER_CHARACTERS;
            if (!key.isEmpty()) said = said.replace(key, "(key)");
            if (!device.isEmpty()) said = said.replace(device, "(device)");
            // The last characters can be the beginning of either.
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

        /** Reads the beginning of the response. */
        private static String beginning(HttpURLConnection connection) {
            char[] text = new char[ANSWER_CHARACTERS + 1];
            int count = 0;
            try (InputStream stream = connection.getResponseCode() < 400 ? connection.getInputStream() : connection.getErrorStream()) {
                Reader reader = stream == null ? new StringReader("") : new InputStreamReader(stream, StandardCharsets.UTF_8);
                for (int more = 0; more >= 0 && count < text.length; count += Math.max(more, 0)) {
                    more = reader.read(text, count, text.length - count);
                }
            } catch (IOException cut) {
                // The status is enough.
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
