package com.example.weather

import androidx.glance.action.ActionParameters
import androidx.glance.action.actionParametersOf
import androidx.glance.appwidget.GlanceAppWidgetManager
import androidx.work.WorkerParameters
import io.widgetcensus.client.Config
import io.widgetcensus.client.SendWorker
import io.widgetcensus.client.WidgetCensus
import io.widgetcensus.glance.tapParameters
import kotlinx.coroutines.runBlocking

/** Does what Android and Glance do to the classes of docs/guides/android.md, and sends what that reported, for scripts/test-android. */
fun main() {
    val app = WeatherApp()
    app.onCreate()
    WidgetCensus.configure(app, Config.Builder(System.getProperty("url"), System.getProperty("key")).onProblem { println(it) }.build())
    val id = GlanceAppWidgetManager(app).getGlanceIdBy(5)
    val tapped: ActionParameters.Key<Int> = ActionParameters.Key("appWidgetId")
    println("tapped ${tapParameters(app, id)[tapped]}")
    val steps = listOf<suspend () -> Unit>(
        { Refresh().onAction(app, id, actionParametersOf()) },
        { ForecastReceiver().onRestored(app, intArrayOf(5, 6), intArrayOf(8, 9)) },
        { ForecastReceiver().onDeleted(app, intArrayOf(8, 9)) })
    for (step in steps) {
        runBlocking { step() }
        Thread.sleep(5) // events of one millisecond have no order
    }
    println("sent: ${SendWorker(app, WorkerParameters()).doWork()}")
    println("opted out: ${runBlocking { countMyWidgets(app, false) }}")
}
