package io.widgetcensus.glance

import android.content.Context
import androidx.glance.appwidget.GlanceAppWidgetReceiver
import io.widgetcensus.client.WidgetCensus

/** A receiver that reports which of its widgets were removed and restored. The kind is the name of the subclass. */
abstract class CensusGlanceReceiver : GlanceAppWidgetReceiver() {
    // Store the event before the base class starts its asynchronous work, which may end the broadcast.
    override fun onDeleted(context: Context, appWidgetIds: IntArray) {
        for (id in appWidgetIds) WidgetCensus.removed(context, javaClass, id)
        super.onDeleted(context, appWidgetIds)
    }

    override fun onRestored(context: Context, oldWidgetIds: IntArray, newWidgetIds: IntArray) {
        WidgetCensus.restored(context, oldWidgetIds, newWidgetIds)
        super.onRestored(context, oldWidgetIds, newWidgetIds)
    }
}
