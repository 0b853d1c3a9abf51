package androidx.glance.appwidget

import android.appwidget.AppWidgetProvider
import android.content.Context
import androidx.compose.runtime.Composable
import androidx.glance.GlanceId

/** As the real one, this calls `goAsync` in `onDeleted`, which must happen once. */
abstract class GlanceAppWidgetReceiver : AppWidgetProvider() {
    abstract val glanceAppWidget: GlanceAppWidget

    override fun onDeleted(context: Context, appWidgetIds: IntArray) = println("deleted by Glance")
}

abstract class GlanceAppWidget {
    abstract suspend fun provideGlance(context: Context, id: GlanceId)

    suspend fun update(context: Context, id: GlanceId) = println("updated $id")
}

suspend fun GlanceAppWidget.provideContent(content: @Composable () -> Unit): Nothing {
    content()
    throw UnsupportedOperationException("the stand-in composes nothing")
}

internal data class AppWidgetId(val appWidgetId: Int) : GlanceId

class GlanceAppWidgetManager(private val context: Context) {
    fun getAppWidgetId(glanceId: GlanceId): Int = (glanceId as AppWidgetId).appWidgetId

    fun getGlanceIdBy(appWidgetId: Int): GlanceId = AppWidgetId(appWidgetId)
}
