/// Values in Gradle's build scripts, as far as that takes no Gradle.
struct GradleValues {
    struct Value {
        var text: String
        /// The file and the line.
        var origin: String
    }

    private struct Script {
        var path: String
        var folder: String
        var text: String

        /// The line of a position, counted from 1.
        func line(of position: String.Index) -> Int { 1 + text[..<position].count { $0.isNewline } }
    }

    private let scripts: [Script]
    /// Scripts of the build itself, such as convention plugins, which apply to any module.
    private let shared: [Script]
    private let properties: [String: String]
    /// Of version catalogs, by the name without separators.
    private let catalog: [String: String]
    private static let greatestDepth = 8

    init(_ folder: ProjectFolder) {
        func isOfBuild(_ path: String) -> Bool {
            path.split(separator: "/").dropLast().contains {
                ["buildsrc", "build-logic", "buildlogic"].contains($0.lowercased())
            }
        }
        let read = folder.files.filter {
            $0.name.hasSuffix(".gradle") || $0.name.hasSuffix(".kts") || $0.name.hasSuffix(".kt") && isOfBuild($0.path)
        }.map { Script(path: $0.path, folder: $0.folder, text: $0.text.withoutLineComments) }
        scripts = read.filter { !isOfBuild($0.path) }
        shared = read.filter { isOfBuild($0.path) }
        var properties: [String: String] = [:]
        for file in folder.files where file.name == "gradle.properties" || file.name == "version.properties" {
            for match in file.text.matches(of: /(?m)^[ \t]*([A-Za-z0-9_.-]+)[ \t]*[=:][ \t]*(.*?)[ \t]*$/) {
                properties[String(match.1)] = String(match.2)
            }
        }
        self.properties = properties
        var catalog: [String: String] = [:]
        for file in folder.files where file.name.hasSuffix(".versions.toml") {
            for match in file.text.matches(of: /(?m)^[ \t]*([A-Za-z0-9_.-]+)[ \t]*=[ \t]*"([^"]*)"/) {
                catalog[GradleValues.plain(match.1)] = String(match.2)
            }
        }
        self.catalog = catalog
    }

    /// The value of a property in a module's script, else in the scripts of the build; nil if it is not clear.
    func value(_ name: String, of module: String) -> Value? {
        let own = scripts.filter { $0.folder == module && $0.path.contains("build.gradle") }
        return (own + shared).lazy.compactMap { script -> Value? in
            guard let (expression, position) = expression(of: name, in: script),
                let text = resolved(expression, script, depth: 0)
            else { return nil }
            return Value(text: text, origin: "\(script.path):\(script.line(of: position))")
        }.first
    }

    /// What follows the property's name: `name = …`, `name …` or `name(…)`.
    private func expression(of name: String, in script: Script) -> (String, String.Index)? {
        let separator = "([ \\t]*=[ \\t]*|[ \\t]*\\([ \\t]*|[ \\t]+)"
        guard let pattern = try? Regex("(?m)^[ \\t]*\(name)\(separator)(\\S.*?)[ \\t]*$"),
            let match = script.text.firstMatch(of: pattern), let text = match.output[2].substring
        else { return nil }
        let isCall = match.output[1].substring?.contains("(") == true && text.hasSuffix(")")
        return (String(isCall ? text.dropLast() : text), match.range.lowerBound)
    }

    private func resolved(_ expression: String, _ script: Script, depth: Int) -> String? {
        guard depth < GradleValues.greatestDepth else { return nil }
        var expression = expression.trimmed
        for ending in [".toString()", ".get()", " as String", "!!", ";"] where expression.hasSuffix(ending) {
            expression = String(expression.dropLast(ending.count)).trimmed
        }
        if let match = expression.wholeMatch(of: /"([^"]*)"|'([^']*)'/) {
            return match.2.map(String.init) ?? match.1.flatMap { interpolated(String($0), script, depth: depth) }
        }
        if expression.wholeMatch(of: /[0-9.]+/) != nil { return expression }
        if let match = expression.wholeMatch(
            of: /.*(?:[pP]roperty|[pP]roperties|extra)\s*[(\[]\s*["']([^"']+)["']\s*[)\]].*/)
        {
            return properties[String(match.1)] ?? assigned(String(match.1), script, depth: depth)
        }
        if expression.firstMatch(of: /^[a-zA-Z]+\.versions\./) != nil {
            return catalog[GradleValues.plain(expression.split(separator: ".").dropFirst(2).joined())]
        }
        guard expression.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_.]*/) != nil,
            let name = expression.split(separator: ".").last.map(String.init)
        else { return nil }
        return assigned(name, script, depth: depth) ?? properties[name]
    }

    private func interpolated(_ text: String, _ script: Script, depth: Int) -> String? {
        var whole = ""
        var rest = text[...]
        while let match = rest.firstMatch(of: /\$(?:\{([^}]+)\}|([A-Za-z_][A-Za-z0-9_]*))/) {
            whole += rest[..<match.range.lowerBound]
            guard let name = match.1 ?? match.2, let value = resolved(String(name), script, depth: depth + 1) else {
                return nil
            }
            whole += value
            rest = rest[match.range.upperBound...]
        }
        whole += rest
        return whole.isEmpty ? nil : whole
    }

    /// The value of a variable, in the same script first.
    private func assigned(_ name: String, _ script: Script, depth: Int) -> String? {
        let assignment = "(?:[\"']\\])?(?:[ \\t]*:[ \\t]*String)?[ \\t]*=[ \\t]*([^=\\s].*?)[ \\t]*$"
        // Dependencies and tools have versions, too. The project's own is not in a block.
        let start = name == "version" ? "^" : "(?:^|[ \\t.\\[\"'])"
        guard let pattern = try? Regex("(?m)\(start)\(name)\(assignment)") else { return nil }
        return ([script] + scripts + shared).lazy.compactMap { other -> String? in
            other.text.matches(of: pattern).lazy.compactMap { match -> String? in
                guard let text = match.output[1].substring.map(String.init), text.trimmed != name else { return nil }
                return resolved(text, other, depth: depth + 1)
            }.first
        }.first
    }

    /// Catalogs write `a-b`, `a_b` or `a.b`, and scripts `a.b`.
    private static func plain(_ name: some StringProtocol) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    /// Without `//` comments, so that a URL in a string survives.
    fileprivate var withoutLineComments: String { replacing(/(?m)(^|[ \t])\/\/.*$/, with: "") }
}
