open class INIntent {}
