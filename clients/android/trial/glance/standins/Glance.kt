package androidx.glance

interface GlanceId

interface GlanceModifier {
    companion object : GlanceModifier
}
