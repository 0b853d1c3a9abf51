package androidx.glance.appwidget.action

import android.content.Context
import androidx.glance.GlanceId
import androidx.glance.action.Action
import androidx.glance.action.ActionParameters
import androidx.glance.action.StandIn
import androidx.glance.action.actionParametersOf

interface ActionCallback {
    suspend fun onAction(context: Context, glanceId: GlanceId, parameters: ActionParameters)
}

inline fun <reified T : ActionCallback> actionRunCallback(parameters: ActionParameters = actionParametersOf()): Action = StandIn(parameters)
