package io.widgetcensus.client;

import android.app.Activity;
import android.app.Application;
import android.os.Bundle;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Reports when the first activity starts, and again after all had stopped. */
final class Foreground implements Application.ActivityLifecycleCallbacks {
    private static Foreground observer;

    private final Application application;
    private final Executor background = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "widget-census");
        thread.setDaemon(true);
        return thread;
    });
    /** How many activities are started. */
    private int started;
    /** Whether an activity has stopped only to start again, because the screen was rotated, for example. */
    private boolean isChanging;

    private Foreground(Application application) {
        this.application = application;
    }

    static synchronized void observe(Application application) {
        if (observer != null) return;
        observer = new Foreground(application);
        application.registerActivityLifecycleCallbacks(observer);
    }

    @Override
    public void onActivityStarted(@NonNull Activity activity) {
        if (started++ == 0 && !isChanging) background.execute(() -> WidgetCensus.report(application));
        isChanging = false;
    }

    @Override
    public void onActivityStopped(@NonNull Activity activity) {
        started = Math.max(0, started - 1); // activities that had started before are not counted
        isChanging = activity.isChangingConfigurations();
    }

    @Override
    public void onActivityCreated(@NonNull Activity activity, @Nullable Bundle saved) {}

    @Override
    public void onActivityResumed(@NonNull Activity activity) {}

    @Override
    public void onActivityPaused(@NonNull Activity activity) {}

    @Override
    public void onActivitySaveInstanceState(@NonNull Activity activity, @NonNull Bundle saved) {}

    @Override
    public void onActivityDestroyed(@NonNull Activity activity) {}
}
