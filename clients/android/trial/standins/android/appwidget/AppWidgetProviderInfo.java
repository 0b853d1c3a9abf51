package android.appwidget;

import android.content.ComponentName;

public class AppWidgetProviderInfo {
    public ComponentName provider;
}
