package io.flutter.embedding.android

import android.app.Activity

open class FlutterActivity : Activity()
