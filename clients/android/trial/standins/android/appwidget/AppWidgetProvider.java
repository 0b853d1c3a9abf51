package android.appwidget;

import android.content.Context;
import android.content.Intent;

public class AppWidgetProvider {
    public void onReceive(Context context, Intent intent) {}

    public void onUpdate(Context context, AppWidgetManager manager, int[] instances) {}

    public void onDeleted(Context context, int[] instances) {}

    public void onRestored(Context context, int[] oldInstances, int[] newInstances) {}
}
