package androidx.glance.action

import android.app.Activity
import androidx.glance.GlanceModifier

interface Action

abstract class ActionParameters internal constructor() {
    class Key<T : Any>(val name: String) {
        infix fun to(value: T): Pair<T> = Pair(this, value)

        override fun equals(other: Any?): Boolean = other is Key<*> && name == other.name

        override fun hashCode(): Int = name.hashCode()
    }

    class Pair<T : Any> internal constructor(internal val key: Key<T>, internal val value: T)

    abstract operator fun <T : Any> get(key: Key<T>): T?

    abstract fun asMap(): Map<Key<out Any>, Any>
}

fun actionParametersOf(vararg pairs: ActionParameters.Pair<out Any>): ActionParameters = object : ActionParameters() {
    private val values = pairs.associateBy({ it.key }, { it.value })

    @Suppress("UNCHECKED_CAST")
    override fun <T : Any> get(key: Key<T>): T? = values[key] as T?

    override fun asMap(): Map<Key<out Any>, Any> = values
}

class StandIn(val parameters: ActionParameters) : Action

inline fun <reified T : Activity> actionStartActivity(parameters: ActionParameters = actionParametersOf()): Action = StandIn(parameters)

fun GlanceModifier.clickable(onClick: Action): GlanceModifier = this
