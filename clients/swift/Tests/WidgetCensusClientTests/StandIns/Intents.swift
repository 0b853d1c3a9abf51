// As much of Intents as WidgetKit's interface names.
open class INIntent {}
