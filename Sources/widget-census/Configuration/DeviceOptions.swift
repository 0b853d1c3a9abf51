internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

/// Names an app and one of its devices.
struct DeviceOptions: ParsableArguments {
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var named: NamedDevice

    /// For the help of commands that take these.
    static let discussion = NamedDevice.discussion

    func validate() throws {
        guard named.isGiven else { throw ValidationError("give --device or --pseudonym") }
    }

    /// What the tables call the device.
    ///
    /// - Throws: ``UsageError`` for an invalid id; the server rejects it.
    func name(of app: App, in census: Census) async throws -> Pseudonym { try await named.name(of: app, in: census) }
}

/// Names one device of an app, by either of its two ids, or none.
struct NamedDevice: ParsableArguments {
    @Option(help: ArgumentHelp("The device's id as sent; - reads it from standard input.", valueName: "id"))
    var device: String?

    @Option(help: ArgumentHelp("The device's id in the tables.", valueName: "uuid"))
    var pseudonym: Pseudonym?

    /// For the help of commands that take these.
    static let discussion = """
        --device is the id as the app sends it (- reads it from standard input: it stays out of the shell's history);
        --pseudonym is what the tables call the device.
        """

    var isGiven: Bool { device != nil || pseudonym != nil }

    func validate() throws {
        guard device == nil || pseudonym == nil else { throw ValidationError("give --device or --pseudonym") }
        if device?.isEmpty == true { throw ValidationError("--device is empty") }
    }

    /// What the tables call the device.
    ///
    /// - Throws: ``UsageError`` for an invalid id; the server rejects it.
    func name(of app: App, in census: Census) async throws -> Pseudonym {
        if let pseudonym {
            // The tables hold the devices of all apps; an id as sent is hashed with its app's.
            let owner = try await census.store.devices.appNumber(of: pseudonym)
            guard owner ?? app.number == app.number else {
                throw UsageError("that pseudonym is a device of another app than \(app.id)")
            }
            return pseudonym
        }
        var id = device ?? ""
        if id == "-" {
            id = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
            guard !id.isEmpty else { throw UsageError("no device was named on standard input") }
            // At a terminal that would wait for one more line.
            if isatty(STDIN_FILENO) == 0, readLine() != nil {
                throw UsageError(
                    "standard input has several lines: name one device, and the others each by a command of its own")
            }
        }
        // Earlier versions took ids with U+FFFD, and such a device must be found, and forgotten.
        if let fault = RawID.fault(of: id.replacing("\u{FFFD}", with: "?")) {
            throw UsageError("the device's id \(fault)")
        }
        return try census.requireSecret().device(id, app: app.id)
    }
}
