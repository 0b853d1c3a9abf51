public import Foundation

extension WidgetCensus {
    /// A problem that developers want to know about while they integrate the client. Nothing needs to be done on the device.
    public enum Problem: LocalizedError, Hashable, Sendable {
        /// The service rejected this event, so it is deleted.
        case refused(event: String, code: String, message: String)
        /// The service will never accept these events, so they are deleted.
        case dropped(events: Int, status: Int, code: String, message: String)
        /// The service doesn't accept the key. All events wait until the app has another key, or the service accepts this one.
        case keyNotAccepted(status: Int, code: String, message: String)
        /// There was no response (nil), or one that asks for a retry or is not the service's. The client retries automatically.
        ///
        /// Without a response, `code` and `message` are those of the system's error, such as `NSURLErrorDomain -1004`.
        case notSent(status: Int?, code: String, message: String)
        /// The service's URL is not an `http` or `https` URL with a host. Nothing is sent.
        case invalidURL(String)
        /// An event could not be stored on the device, because the disk is full or the device has not been unlocked yet.
        case notStored
        /// The target is not in the app group. The app counts without its extension, and the extension counts nothing.
        case noAppGroup

        public var errorDescription: String? {
            switch self {
            case .refused(let event, let code, let message): "The service rejected event \(event): \(message) (\(code))"
            case .dropped(let events, let status, let code, let message):
                "The service will never accept \(events) events, so they were deleted: \(message) (\(code), HTTP \(status))"
            case .keyNotAccepted(let status, let code, let message):
                "The service does not accept the key, so all events wait: \(message) (\(code), HTTP \(status))"
            case .notSent(nil, let code, let message):
                "There was no response, so the client retries within 15 minutes: \(message) (\(code))"
            case .notSent(let status?, "", _): "HTTP \(status) is no success, so the client retries."
            case .notSent(let status?, let code, let message):
                "The client retries, because the service responded: \(message) (\(code), HTTP \(status))"
            case .invalidURL(let url): "The service's URL is invalid, so nothing is sent: \(url)."
            case .notStored: "An event could not be stored."
            case .noAppGroup: "This target is not in the app group."
            }
        }

        public var recoverySuggestion: String? {
            switch self {
            case .refused:
                "Look the code up in the API's list of responses, and check the kind and family that you pass."
            case .dropped: "Please report it to the service's operators."
            case .keyNotAccepted: "Pass a write key of this bundle identifier that is not revoked."
            case .notSent(nil, _, _):
                "Check that the service runs at this URL, and that App Transport Security allows it."
            case .notSent(404, _, _): "Check the URL: it must be the service's, without a path."
            case .notSent(408, _, _), .notSent(429, _, _): "Nothing needs to be done: the service is busy."
            case .notSent(let status?, _, _) where (400..<500).contains(status):
                "Check the URL and what is between the app and the service: the service does not answer a batch like this."
            case .invalidURL: "Pass the URL with its scheme and host, such as https://census.example.com."
            case .notSent: "Nothing needs to be done: the service is busy, or a Wi-Fi network shows its login page."
            case .notStored:
                "Nothing needs to be done: the disk is full, or the phone was not unlocked since it started."
            case .noAppGroup: "Add the App Groups capability to this target, with the group that you pass as appGroup."
            }
        }
    }
}

#if canImport(os)
    internal import os

    extension WidgetCensus.Problem {
        private static let logger = Logger(subsystem: "WidgetCensus", category: "client")

        /// Writes it to the system's log, where Xcode and Console show it.
        @Sendable func log() {
            let text = [errorDescription, recoverySuggestion].compactMap(\.self).joined(separator: " ")
            Self.logger.error("\(text, privacy: .public)")
        }
    }
#endif
