package androidx.work;

import android.content.Context;

/** Remembers what was asked for; the trial makes the senders itself. */
public class WorkManager {
    public static volatile String asked = "";

    public static WorkManager getInstance(Context context) {
        return new WorkManager();
    }

    public void enqueueUniqueWork(String name, ExistingWorkPolicy policy, OneTimeWorkRequest work) {
        asked = name + " " + policy + " " + work;
    }
}
