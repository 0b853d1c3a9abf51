package android.widget;

import android.app.PendingIntent;

public class RemoteViews {
    public RemoteViews(String packageName, int layout) {}

    public void setOnClickPendingIntent(int view, PendingIntent intent) {}
}
