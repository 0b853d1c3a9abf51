internal import CensusCore

extension PreflightReport {
    /// GitHub shows only the first ten annotations of a step.
    private static let mostAnnotations = 10
    /// The most lines of the annotation that summarizes the rest.
    private static let mostLines = 100

    /// Workflow commands that GitHub Actions shows beside the manifest: the verdict, then the most severe remarks.
    var github: String {
        let remarks = remarks.filter { $0.rule != PreflightReport.undecided.rule }
        let isInvalid = verdict.outcome == .invalid && verdict.problems.isEmpty
        let level: PreflightRemark.Level =
            verdict.isPassed ? (verdict.outcome == .pass ? .notice : .warning) : .error
        let text = [comparison] + (verdict.outcome == .fail ? verdict.doubts : []) + [conclusion]
        let verdictRemark = PreflightRemark(
            rule: "verdict", level: level, title: "preflight of \(subject)",
            text: text.compactMap { $0 }.joined(separator: "\n"), place: .init(), fingerprint: "")
        let all = [verdictRemark] + (isInvalid ? [] : remarks)
        guard all.count > PreflightReport.mostAnnotations else { return all.map(annotation).joined() }
        let shown = all.prefix(PreflightReport.mostAnnotations - 1)
        return (shown + [rest(all.dropFirst(shown.count))]).map(annotation).joined()
    }

    private func rest(_ remarks: ArraySlice<PreflightRemark>) -> PreflightRemark {
        let lines = remarks.prefix(PreflightReport.mostLines).map(\.title)
        let left = remarks.count - lines.count
        return PreflightRemark(
            rule: "rest", level: remarks.first?.level ?? .notice, title: "and \(remarks.count.grouped) more",
            text: (lines + (left > 0 ? ["and \(left.grouped) more: preflight without --format lists all"] : []))
                .joined(separator: "\n"), place: remarks.first?.place ?? .init(), fingerprint: "")
    }

    private func annotation(_ remark: PreflightRemark) -> String {
        let place = file == "-" ? "" : "file=\(location.property),line=\(remark.place.line),"
        let level = "\(remark.level)"
        return "::\(level) \(place)title=\(remark.title.printable.property)::\(remark.text.printableLines.data)\n"
    }
}

extension String {
    /// Escapes the text after the second `::`, where a line break would end the command.
    fileprivate var data: String { escaped([("%", "%25"), ("\r", "%0D"), ("\n", "%0A")]) }

    /// Escapes the value of a property, which a colon or comma would end.
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
