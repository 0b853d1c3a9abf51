internal import CensusCore

extension PreflightReport {
    /// Workflow commands of GitHub Actions, which show at the manifest's first line.
    var github: String {
        var lines = verdict.findings.map { finding in
            let level =
                switch finding.severity {
                case .fail: "error"
                case .unknown, .warn, .allowed: "warning"
                case .acknowledged, .none: "notice"
                }
            let text = [message(finding), acknowledging(finding).map { "acknowledge: \($0)" }].compactMap { $0 }
                .joined(separator: "\n")
            return annotation(level, "\(finding.change.rule.rawValue) \(finding.change.kind)", text)
        }
        let level = verdict.isPassed ? (verdict.outcome == .pass ? "notice" : "warning") : "error"
        let text = ([comparison] + (verdict.outcome == .fail ? verdict.doubts : []) + [conclusion]).compactMap { $0 }
        lines.append(annotation(level, "preflight of \(verdict.appVersion)", text.joined(separator: "\n")))
        return lines.joined(separator: "\n") + "\n"
    }

    private func annotation(_ level: String, _ title: String, _ text: String) -> String {
        let place = file == "-" ? "" : "file=\(file.property),line=1,"
        return "::\(level) \(place)title=\(title.printable.property)::\(text.printableLines.data)"
    }
}

extension String {
    /// What stands after the second `::`: a line break would end the command.
    fileprivate var data: String { escaped([("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]) }

    /// The value of a property: a colon or comma would end it.
    fileprivate var property: String {
        escaped([("%", "%25"), ("\r", "%0D"), ("\n", "%0A"), (":", "%3A"), (",", "%2C")])
    }

    private func escaped(_ escapes: [(Unicode.Scalar, String)]) -> String {
        var text = ""
        // By scalar: a carriage return and a line feed are one Character.
        for scalar in unicodeScalars {
            if let escape = escapes.first(where: { $0.0 == scalar }) {
                text += escape.1
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
