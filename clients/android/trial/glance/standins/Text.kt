package androidx.glance.text

import androidx.compose.runtime.Composable
import androidx.glance.GlanceModifier

@Composable fun Text(text: String, modifier: GlanceModifier = GlanceModifier) = Unit
