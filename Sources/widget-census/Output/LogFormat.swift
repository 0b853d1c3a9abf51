internal import ArgumentParser

enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
    case text, json
}
