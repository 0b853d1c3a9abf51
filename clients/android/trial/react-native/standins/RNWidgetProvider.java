package com.reactnativeandroidwidget;

import android.appwidget.AppWidgetProvider;
import android.content.Context;
import android.content.Intent;

public class RNWidgetProvider extends AppWidgetProvider {
    @Override
    public void onReceive(final Context context, final Intent incomingIntent) {
        super.onReceive(context, incomingIntent);
    }

    @Override
    public void onDeleted(Context context, int[] appWidgetIds) {
        super.onDeleted(context, appWidgetIds);
    }
}
