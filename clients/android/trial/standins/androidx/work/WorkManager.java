package androidx.work;

import android.content.Context;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Records the requested work; the trial creates the senders itself. */
public class WorkManager {
    public static final Map<String, String> asked = new ConcurrentHashMap<>();

    public static WorkManager getInstance(Context context) {
        return new WorkManager();
    }

    public Operation enqueueUniqueWork(String name, ExistingWorkPolicy policy, OneTimeWorkRequest work) {
        asked.put(name, policy + " " + work);
        return null;
    }
}
