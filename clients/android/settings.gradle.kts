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
include(":widget-census", ":widget-census-glance")
project(":widget-census").projectDir = file("client")
project(":widget-census-glance").projectDir = file("glance")
