package androidx.compose.runtime

/** Without Compose's compiler plug-in, this changes nothing. */
@Target(AnnotationTarget.FUNCTION, AnnotationTarget.TYPE)
annotation class Composable
