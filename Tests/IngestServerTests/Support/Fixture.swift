import Foundation
import Testing

/// One body made of a real app's events, with the response that it must get.
struct Fixture: CustomTestStringConvertible, Sendable {
    struct Expectation: Decodable, Sendable {
        var status: Int
        var accepted: Int
        var rejected: [Answer.Rejected]
    }

    var name: String
    var body: [UInt8]
    var expectation: Expectation

    static let all: [Fixture] = {
        do {
            let folder = Bundle.module.bundleURL.appending(path: "wire")
            let expectations = try JSONDecoder().decode(
                [String: Expectation].self, from: Data(contentsOf: folder.appending(path: "expectations.json")))
            return try expectations.sorted { $0.key < $1.key }.map { name, expectation in
                Fixture(
                    name: name, body: Array(try Data(contentsOf: folder.appending(path: name))),
                    expectation: expectation)
            }
        } catch {
            preconditionFailure("the fixtures cannot be read: \(error)")
        }
    }()

    var testDescription: String { name }

    /// The id of the app that sent the body.
    var app: String {
        get throws {
            struct Envelope: Decodable {
                struct App: Decodable { var id: String }
                var app: App
            }
            return try JSONDecoder().decode(Envelope.self, from: Data(body)).app.id
        }
    }
}
