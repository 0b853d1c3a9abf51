internal import ArgumentParser
internal import CensusCore
internal import CensusStore
internal import Foundation

/// Options that choose an app and one of its devices.
struct DeviceOptions: ParsableArguments {
    @Option(.app, "The app.", name: "app id") var app: String
    @OptionGroup var named: NamedDevice

    /// For the help of commands that take these.
    static let discussion = NamedDevice.discussion

    func validate() throws {
        guard named.isGiven else { throw ValidationError("give --device or --pseudonym") }
    }

    /// The device's pseudonym, its id in the tables.
    ///
    /// - Throws: ``UsageError`` for an invalid id; the server rejects it.
    func name(of app: App, in census: Census) async throws -> Pseudonym { try await named.name(of: app, in: census) }
}

/// Options that choose one device of an app by either of its two ids, or none.
struct NamedDevice: ParsableArguments {
    @Option(help: ArgumentHelp("The device's id as the app sends it; - reads it from standard input.", valueName: "id"))
    var device: String?

    @Option(help: ArgumentHelp("The device's id in the database.", valueName: "uuid"))
    var pseudonym: Pseudonym?

    /// For the help of commands that take these.
    static let discussion = """
        --device takes the id that the app sends (- reads it from standard input, which keeps it out of the shell's history);
        --pseudonym takes the device's id in the database.
        """

    var isGiven: Bool { device != nil || pseudonym != nil }

    func validate() throws {
        guard device == nil || pseudonym == nil else { throw ValidationError("give --device or --pseudonym") }
        if device?.isEmpty == true { throw ValidationError("--device is empty") }
    }

    /// The device's pseudonym, its id in the tables.
    ///
    /// - Throws: ``UsageError`` for an invalid id; the server rejects it.
    func name(of app: App, in census: Census) async throws -> Pseudonym {
        if let pseudonym {
            // A pseudonym might belong to another app. An id as sent can't, because it is hashed together with its app's id.
            let owner = try await census.store.devices.appNumber(of: pseudonym)
            guard owner ?? app.number == app.number else {
                throw UsageError("that pseudonym belongs to a device of another app, not of \(app.id)")
            }
            return pseudonym
        }
        var id = device ?? ""
        if id == "-" {
            id = (readLine() ?? "").trimmingCharacters(in: .whitespaces)
            guard !id.isEmpty else { throw UsageError("standard input has no device id") }
            // At a terminal, reading on would wait for another line.
            if isatty(STDIN_FILENO) == 0, readLine() != nil {
                throw UsageError(
                    "standard input has several lines: give one device id, and run the command once per device")
            }
        }
        // Earlier versions accepted ids with U+FFFD. Such devices must still be found, and can be forgotten.
        if let fault = RawID.fault(of: id.replacing("\u{FFFD}", with: "?")) {
            throw UsageError("the device's id \(fault)")
        }
        return try census.requireSecret().device(id, app: app.id)
    }
}
