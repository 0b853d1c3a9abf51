// Builds the modules alone: gradle publishToMavenLocal. Apps can include this build, or its modules; see docs/guides/android.md.
pluginManagement {
    repositories {
        google()
        mavenCentral()
        gradlePluginPortal()
    }
}

dependencyResolutionManagement {
    repositories {
        google()
        mavenCentral()
    }
}

rootProject.name = "widget-census-android"
include(":widget-census")
project(":widget-census").projectDir = file("client")
