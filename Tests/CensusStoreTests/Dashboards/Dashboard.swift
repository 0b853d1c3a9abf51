import Foundation
import Testing

/// A dashboard of `dashboards/`, as far as it asks the database something.
struct Dashboard: Sendable, CustomTestStringConvertible {
    struct Question: Sendable {
        /// The panel's title, or the variable's name.
        var asker: String
        var sql: String
        var isTimeSeries: Bool
        /// Columns that the panel gives a colour, a width or a place.
        var columns: Set<String>
    }

    struct Variable: Sendable {
        var question: Question
        var isMultiple: Bool
    }

    var name: String
    var schemaVersion: Int
    var panels: [Question]
    var variables: [Variable]
    /// Of panels that show something: without a description, or without a unit where there are numbers.
    var undescribed: [String]
    /// `(x, y, width, height)` of each panel.
    var places: [[Int]]

    var testDescription: String { name }

    static let all: [Dashboard] = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../../dashboards")
        let files = (try? FileManager.default.contentsOfDirectory(at: root, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { try? Dashboard($0) }
    }()

    private init(_ file: URL) throws {
        let json = JSON(try JSONSerialization.jsonObject(with: Data(contentsOf: file)))
        name = file.lastPathComponent
        schemaVersion = json["schemaVersion"].number ?? 0
        let all = json["panels"].list
        let shown = all.filter { $0["type"].text != "row" }
        panels = shown.flatMap { panel in panel["targets"].list.map { Question(panel: panel, target: $0) } }
        variables = json["templating"]["list"].list.filter { $0["type"].text == "query" }
            .map { variable in
                Variable(
                    question: Question(
                        asker: variable["name"].text, sql: variable["query"].text, isTimeSeries: false, columns: []),
                    isMultiple: variable["multi"].flag)
            }
        undescribed = shown.filter { $0["description"].text.isEmpty }.map { $0["title"].text }
        places = all.map { panel in ["x", "y", "w", "h"].map { panel["gridPos"][$0].number ?? -1 } }
    }
}

extension Dashboard.Question {
    fileprivate init(panel: JSON, target: JSON) {
        var columns: Set<String> = []
        for override in panel["fieldConfig"]["overrides"].list where override["matcher"]["id"].text == "byName" {
            columns.insert(override["matcher"]["options"].text)
            for property in override["properties"].list where property["id"].text == "custom.fillBelowTo" {
                columns.insert(property["value"].text)
            }
        }
        let xField = panel["options"]["xField"].text
        if !xField.isEmpty { columns.insert(xField) }
        self.init(
            asker: panel["title"].text, sql: target["rawSql"].text, isTimeSeries: panel["type"].text == "timeseries",
            columns: columns)
    }
}

/// A value that `JSONSerialization` read; what is not there is empty.
private struct JSON {
    private let value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(_ key: String) -> JSON { JSON((value as? [String: Any])?[key]) }
    var list: [JSON] { (value as? [Any] ?? []).map(JSON.init) }
    var text: String { value as? String ?? "" }
    var number: Int? { value as? Int }
    var flag: Bool { value as? Bool ?? false }
}
