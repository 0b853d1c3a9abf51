package android.app;

import android.content.Context;
import android.os.Bundle;

/** Remembers the callbacks, which the trial calls. */
public class Application extends Context {
    public ActivityLifecycleCallbacks callbacks;

    public void onCreate() {}

    public void registerActivityLifecycleCallbacks(ActivityLifecycleCallbacks callback) {
        if (callbacks != null) throw new IllegalStateException("registered twice");
        callbacks = callback;
    }

    public interface ActivityLifecycleCallbacks {
        void onActivityCreated(Activity activity, Bundle saved);

        void onActivityStarted(Activity activity);

        void onActivityResumed(Activity activity);

        void onActivityPaused(Activity activity);

        void onActivityStopped(Activity activity);

        void onActivitySaveInstanceState(Activity activity, Bundle saved);

        void onActivityDestroyed(Activity activity);
    }
}
