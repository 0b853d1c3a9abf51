package io.widgetcensus.glance

import android.appwidget.AppWidgetManager
import android.content.Context
import androidx.glance.GlanceId
import androidx.glance.action.ActionParameters
import androidx.glance.action.actionParametersOf
import androidx.glance.appwidget.GlanceAppWidgetManager
import androidx.glance.appwidget.GlanceAppWidgetReceiver
import io.widgetcensus.client.WidgetCensus
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

private val widgetId = ActionParameters.Key<Int>(AppWidgetManager.EXTRA_APPWIDGET_ID)

/** For `actionStartActivity`: the activity's intent then says which widget was tapped, as [WidgetCensus.opened] reads it. */
fun tapParameters(context: Context, id: GlanceId): ActionParameters =
    actionParametersOf(widgetId to GlanceAppWidgetManager(context).getAppWidgetId(id))

/** Reports that the user tapped a widget of the receiver [R]. For `ActionCallback.onAction`. */
suspend inline fun <reified R : GlanceAppWidgetReceiver> reportTap(context: Context, id: GlanceId) = reportTap(context, R::class.java, id)

/** Reports that the user tapped a widget. For `ActionCallback.onAction`. */
suspend fun reportTap(context: Context, receiver: Class<out GlanceAppWidgetReceiver>, id: GlanceId) =
    withContext(Dispatchers.IO) { WidgetCensus.opened(context, receiver, GlanceAppWidgetManager(context).getAppWidgetId(id)) }
