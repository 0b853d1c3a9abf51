import Foundation
import Testing

/// A dashboard in `dashboards/`, as Grafana reads it.
struct Dashboard: Sendable, CustomTestStringConvertible {
    /// A query that a panel, a variable or an annotation sends to its data source.
    struct Question: Sendable {
        /// The panel's title, or the name of the variable or annotation.
        var asker: String
        /// SQL or PromQL.
        var text: String
        /// Whether each row is one point of one series, which the column `metric` names.
        var isLong = false

        func reads(_ view: String) -> Bool { text.contains("report.\(view)\n") || text.hasSuffix("report.\(view)") }
    }

    struct Panel: Sendable {
        var id: Int
        var type: String
        var title: String
        var description: String
        var unit: String
        /// Units of single columns.
        var columnUnits: [String]
        /// x, y, width, height.
        var place: [Int]
        /// The variable whose values repeat this row, or the row that this panel is in.
        var repeated: String?
        /// Columns to which it gives a colour, a width or a position.
        var columns: Set<String>
        var questions: [Question]

        var isRow: Bool { type == "row" }
        /// The first query; a row has none.
        var question: Question { questions.first ?? Question(asker: title, text: "") }
    }

    struct Variable: Sendable {
        var question: Question
        var isMultiple: Bool
        var isHidden: Bool
    }

    var name: String
    var uid: String
    var title: String
    var schemaVersion: Int
    /// The type of its data source.
    var dataSource: String
    /// The variable that selects the data source.
    var chooser: String
    /// Name and uid of the default data source.
    var chosenSource: [String]
    /// In the order of the file. Panels below a repeated row repeat with it.
    var panels: [Panel]
    var variables: [Variable]
    var annotations: [Question]
    /// Every `datasource` in the file, as type and uid.
    var dataSources: Set<[String]>

    var testDescription: String { name }

    /// Every query of the dashboard.
    var questions: [Question] { panels.flatMap(\.questions) + variables.map(\.question) + annotations }

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../dashboards")

    static let all: [Dashboard] = {
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
            .compactMap { try? Dashboard($0) }
    }()

    /// The dashboards that read report views.
    static let ofReports = all.filter { $0.dataSource == "grafana-postgresql-datasource" }

    private init(_ file: URL) throws {
        let json = JSON(try JSONSerialization.jsonObject(with: Data(contentsOf: file)))
        name = file.deletingPathExtension().lastPathComponent
        uid = json["uid"].text
        title = json["title"].text
        schemaVersion = json["schemaVersion"].number ?? 0
        var row: Panel?
        panels = json["panels"].list.map { json in
            var panel = Panel(json)
            if panel.isRow { row = panel } else { panel.repeated = row?.repeated }
            return panel
        }
        let chosen = json["templating"]["list"].list
        let source = chosen.first { $0["type"].text == "datasource" } ?? JSON(nil)
        dataSource = source["query"].text
        chooser = source["name"].text
        chosenSource = ["text", "value"].map { source["current"][$0].text }
        variables = chosen.filter { $0["type"].text == "query" }.map(Variable.init)
        annotations = json["annotations"]["list"].list.map {
            Question(asker: $0["name"].text, text: $0["target"]["rawSql"].text)
        }
        dataSources = json.dataSources
    }
}

extension Dashboard.Panel {
    fileprivate init(_ json: JSON) {
        let title = json["title"].text
        let overrides = json["fieldConfig"]["overrides"].list.filter { $0["matcher"]["id"].text == "byName" }
        let properties = overrides.flatMap { $0["properties"].list }
        func values(_ id: String) -> [String] { properties.filter { $0["id"].text == id }.map { $0["value"].text } }
        self.init(
            id: json["id"].number ?? 0, type: json["type"].text, title: title, description: json["description"].text,
            unit: json["fieldConfig"]["defaults"]["unit"].text, columnUnits: values("unit"),
            place: ["x", "y", "w", "h"].map { json["gridPos"][$0].number ?? -1 },
            repeated: json["repeat"].text.isEmpty ? nil : json["repeat"].text,
            columns: Set(
                overrides.map { $0["matcher"]["options"].text } + values("custom.fillBelowTo")
                    + [json["options"]["xField"].text]
            ).subtracting([""]),
            questions: json["targets"].list.map { target in
                Dashboard.Question(
                    asker: title, text: target["rawSql"].text + target["expr"].text,
                    isLong: target["format"].text == "time_series")
            })
    }
}

extension Dashboard.Variable {
    fileprivate init(_ json: JSON) {
        let query = json["query"]
        self.init(
            question: Dashboard.Question(asker: json["name"].text, text: query.text + query["query"].text),
            isMultiple: json["multi"].flag, isHidden: json["hide"].number == 2)
    }
}

/// A value that `JSONSerialization` read. A missing value is empty.
private struct JSON {
    private let value: Any?

    init(_ value: Any?) { self.value = value }

    subscript(_ key: String) -> JSON { JSON((value as? [String: Any])?[key]) }
    var list: [JSON] { (value as? [Any] ?? []).map(JSON.init) }
    var text: String { value as? String ?? "" }
    var number: Int? { value as? Int }
    var flag: Bool { value as? Bool ?? false }

    /// Data sources at any depth.
    var dataSources: Set<[String]> {
        var found = list.reduce(into: Set<[String]>()) { $0.formUnion($1.dataSources) }
        for (key, inner) in value as? [String: Any] ?? [:] {
            let inner = JSON(inner)
            if key == "datasource" { found.insert([inner["type"].text, inner["uid"].text]) }
            found.formUnion(inner.dataSources)
        }
        return found
    }
}
