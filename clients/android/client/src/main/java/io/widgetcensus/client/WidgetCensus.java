package io.widgetcensus.client;

import android.app.Application;
import android.appwidget.AppWidgetManager;
import android.appwidget.AppWidgetProviderInfo;
import android.content.Context;
import android.content.Intent;
import android.util.Log;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import androidx.work.BackoffPolicy;
import androidx.work.Constraints;
import androidx.work.ExistingWorkPolicy;
import androidx.work.NetworkType;
import androidx.work.OneTimeWorkRequest;
import androidx.work.WorkManager;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Reports to Widget Census which widgets of this app are on the home screen.
 *
 * <p>Every call stores one event as a file and returns; {@link SendWorker} sends the files when there is a network. No call throws.
 * Call {@link #configure} in {@code Application.onCreate}, because receivers and WorkManager start the process, too.
 */
public final class WidgetCensus {
    static final String TAG = "widget-census";
    /** Not the names that the pasted file used: WorkManager could hold work under them whose class is gone, and would keep that. */
    private static final String SEND = "io.widgetcensus.send", ERASE = "io.widgetcensus.erase", IDLE = "io.widgetcensus.idle";

    private static volatile Config config;
    private static volatile boolean hasIdleWork;

    private WidgetCensus() {}

    /** Sets the service and the key for this process. Later calls replace the configuration. Stores and sends nothing. */
    public static void configure(@NonNull Context context, @NonNull Config config) {
        WidgetCensus.config = config.channel == null && Origin.isDebuggable(context) ? config.withChannel("debug") : config;
    }

    /** Null before {@link #configure}. */
    static Config config() {
        return config;
    }

    /** Calls {@link #report} on a background thread whenever the app comes to the foreground, from the next activity that starts. */
    public static void reportOnForeground(@NonNull Application application) {
        Foreground.observe(application);
    }

    /** Reports the complete list. Call this when the app comes to the foreground. */
    public static void report(@NonNull Context context) {
        String content;
        try {
            AppWidgetManager manager = AppWidgetManager.getInstance(context);
            if (manager == null) return; // a device without home screen widgets
            List<String> widgets = new ArrayList<>();
            for (AppWidgetProviderInfo info : manager.getInstalledProvidersForPackage(context.getPackageName(), null)) {
                for (int instance : manager.getAppWidgetIds(info.provider)) {
                    widgets.add(Json.widget(info.provider.getClassName(), instance));
                }
            }
            content = "\"widgets\":[" + String.join(",", widgets) + "]";
        } catch (RuntimeException failure) {
            // Never send an empty list, which would mean that every widget was removed.
            content = "\"error\":{\"domain\":" + Json.text(failure.getClass().getName()) + ",\"code\":0}";
        }
        append(context, "widgets_reported", content);
    }

    /** The user placed a widget: its configuration ended with RESULT_OK. Not for onUpdate, which is also called for phantoms. */
    public static void installed(@NonNull Context context, @NonNull Class<?> provider, int instance) {
        append(context, "widget_installed", provider, instance);
    }

    /** The user removed a widget. Call this from onDeleted, for each id. */
    public static void removed(@NonNull Context context, @NonNull Class<?> provider, int instance) {
        append(context, "widget_removed", provider, instance);
    }

    /** The user changed a widget's settings. */
    public static void configured(@NonNull Context context, @NonNull Class<?> provider, int instance) {
        append(context, "widget_configured", provider, instance);
    }

    /** The user tapped a widget, which is the best proof that it is on a screen. */
    public static void opened(@NonNull Context context, @NonNull Class<?> provider, int instance) {
        append(context, "widget_opened", provider, instance);
    }

    /** The same for a widget whose provider the caller doesn't know. Does nothing if the widget is gone. */
    public static void opened(@NonNull Context context, int instance) {
        try {
            AppWidgetManager manager = AppWidgetManager.getInstance(context);
            AppWidgetProviderInfo info = manager == null ? null : manager.getAppWidgetInfo(instance);
            if (info != null) append(context, "widget_opened", "\"widget\":" + Json.widget(info.provider.getClassName(), instance));
        } catch (RuntimeException failure) {
            tell(Problem.Kind.NOT_STORED, 0, "a tapped widget could not be looked up: " + failure);
        }
    }

    /**
     * An activity has this intent. If a tap on a widget started it, {@link AppWidgetManager#EXTRA_APPWIDGET_ID} says on which. An activity
     * from the list of recent apps, which gets the intent of the last tap again, doesn't count.
     */
    public static void opened(@NonNull Context context, @NonNull Intent intent) {
        int instance = intent.getIntExtra(AppWidgetManager.EXTRA_APPWIDGET_ID, AppWidgetManager.INVALID_APPWIDGET_ID);
        boolean isOld = (intent.getFlags() & Intent.FLAG_ACTIVITY_LAUNCHED_FROM_HISTORY) != 0;
        if (instance != AppWidgetManager.INVALID_APPWIDGET_ID && !isOld) opened(context, instance);
    }

    /** Android gave widgets new ids. Call this from onRestored. */
    public static void restored(@NonNull Context context, @NonNull int[] oldInstances, @NonNull int[] newInstances) {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < Math.min(oldInstances.length, newInstances.length); i++) {
            names.add("\"" + oldInstances[i] + "\":\"" + newInstances[i] + "\"");
        }
        if (!names.isEmpty()) append(context, "widgets_restored", "\"instances\":{" + String.join(",", names) + "}");
    }

    /**
     * The user objects. Deletes the waiting events, stores and sends nothing until {@link #optIn}, and has the service erase the device.
     * It needs no configuration, and works while the client is disabled.
     *
     * @return false if the disk or WorkManager failed; call it again. Repeated calls do no harm.
     */
    public static boolean optOut(@NonNull Context context) {
        try {
            DeviceIds ids = Storage.locked(context, storage -> {
                DeviceIds all = DeviceIds.read(context, storage);
                // Write this before deleting anything. If the process ends here, the sender deletes the rest.
                if (all.objects()) storage.write("device", all.text());
                storage.empty();
                return all;
            });
            if (!ids.toErase.isEmpty()) schedule(context, EraseWorker.class, ExistingWorkPolicy.REPLACE); // at once, not after a backoff
            return true;
        } catch (IOException | RuntimeException failure) {
            tell(Problem.Kind.NOT_STORED, 0, "the objection could not be stored: " + failure);
            return false;
        }
    }

    /**
     * The user agrees again. The device gets a new id, because the service still drops events under the old one.
     *
     * @return false if the disk failed; call it again. Until then nothing is stored.
     */
    public static boolean optIn(@NonNull Context context) {
        try {
            Storage.locked(context, storage -> {
                DeviceIds all = DeviceIds.read(context, storage);
                if (all.agrees()) storage.write("device", all.text());
                return all;
            });
            return true;
        } catch (IOException | RuntimeException failure) {
            tell(Problem.Kind.NOT_STORED, 0, "the agreement could not be stored, so nothing is sent yet: " + failure);
            return false;
        }
    }

    private static void append(Context context, String type, Class<?> provider, int instance) {
        append(context, type, "\"widget\":" + Json.widget(provider.getName(), instance));
    }

    /** Stores an event. Returns its id, or null if it was not stored. */
    @Nullable
    static String append(Context context, String type, String content) {
        Config config = WidgetCensus.config;
        if (config == null) Log.w(TAG, "nothing is stored: call WidgetCensus.configure in Application.onCreate");
        if (config == null || !config.isEnabled) return null;
        try {
            Event event = new Event(type, content);
            DeviceIds ids = Storage.locked(context, storage -> {
                DeviceIds all = DeviceIds.read(context, storage);
                if (!all.hasObjected()) storage.queue().append(event, Origin.fields(context, config, all.current, storage));
                return all;
            });
            // An event that is appended while the last batch is being sent might wait for the next call, such as the next report.
            if (!ids.hasObjected()) schedule(context, SendWorker.class, ExistingWorkPolicy.KEEP);
            if (!ids.toErase.isEmpty()) schedule(context, EraseWorker.class, ExistingWorkPolicy.KEEP);
            return ids.hasObjected() ? null : event.id;
        } catch (IOException | RuntimeException failure) {
            tell(Problem.Kind.NOT_STORED, 0, "an event could not be stored or scheduled: " + failure); // counting must not crash the app
            return null;
        }
    }

    /** Schedules a worker: one of each class at a time, when there is a network, with backoff while it fails. */
    static void schedule(Context context, Class<? extends ServiceWorker> worker, ExistingWorkPolicy policy) {
        Constraints network = new Constraints.Builder().setRequiredNetworkType(NetworkType.CONNECTED).build();
        OneTimeWorkRequest work = new OneTimeWorkRequest.Builder(worker).setConstraints(network)
                .setBackoffCriteria(BackoffPolicy.EXPONENTIAL, 30, TimeUnit.SECONDS).build();
        WorkManager manager = WorkManager.getInstance(context);
        if (!hasIdleWork) {
            // When WorkManager has nothing left to do, it disables a receiver of its own, and Android then updates all widgets of the app.
            // So leave it some work (https://issuetracker.google.com/issues/115575872).
            manager.enqueueUniqueWork(IDLE, ExistingWorkPolicy.KEEP,
                    new OneTimeWorkRequest.Builder(SendWorker.class).setInitialDelay(3_650, TimeUnit.DAYS).build());
            hasIdleWork = true;
        }
        manager.enqueueUniqueWork(worker == SendWorker.class ? SEND : ERASE, policy, work);
    }

    /** Logs a problem and passes it to the app. */
    static void tell(Problem.Kind kind, int status, String message) {
        Log.w(TAG, message);
        Config config = WidgetCensus.config;
        if (config == null || config.listener == null) return;
        try {
            config.listener.onProblem(new Problem(kind, status, message));
        } catch (RuntimeException failure) {
            Log.w(TAG, "onProblem threw " + failure.getClass().getName());
        }
    }
}
