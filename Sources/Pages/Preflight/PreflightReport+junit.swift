internal import CensusCore

extension PreflightReport {
    /// JUnit XML with a test case for each finding, and one for whether there is a verdict. It has a failure or an error
    /// exactly if the exit status is not 0.
    var junit: String {
        var cases = verdict.findings.map(testCase)
        let doubts = verdict.doubts.joined(separator: "; ")
        let isError = !verdict.isPassed && verdict.outcome != .fail
        let type = verdict.outcome == .invalid ? PreflightReport.invalid.rule : PreflightReport.undecided.rule
        if verdict.doubts.isEmpty {
            cases.append(open("could be decided", "preflight") + "/>")
        } else {
            let element =
                isError
                ? "<error type=\"\(type)\" message=\"\(doubts.xml)\"/>"
                : "<skipped message=\"\(doubts.xml)\"/>"
            cases.append(open("could be decided", "preflight") + ">" + element + "</testcase>")
        }
        let failures = verdict.findings.count { $0.severity == .fail }
        let skipped =
            verdict.findings.count { $0.severity == .unknown } + (verdict.doubts.isEmpty || isError ? 0 : 1)
        let counts =
            "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"\(isError ? 1 : 0)\" skipped=\"\(skipped)\""
        let name = (verdict.appID.isEmpty ? location : "\(verdict.appID) \(subject)").xml
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites name="widget-census preflight">
            <testsuite name="\(name)" \(counts)>
            \(cases.joined(separator: "\n"))
            <system-out>\([comparison, conclusion].compactMap { $0 }.joined(separator: "\n").xml)</system-out>
            </testsuite>
            </testsuites>

            """
    }

    private func testCase(_ finding: PreflightFinding) -> String {
        let change = finding.change
        let name = [change.kind.description, change.old, change.new].compactMap { $0 }.joined(separator: " ")
        let start = open(name, "preflight.\(change.rule.rawValue)")
        let text = [message(finding), acknowledging(finding).map { "acknowledge: \($0)" }].compactMap { $0 }
            .joined(separator: "\n")
        switch finding.severity {
        case .fail:
            return start
                + "><failure type=\"\(change.rule.rawValue)\" message=\"\(effect(finding).xml)\">\(text.xml)</failure></testcase>"
        case .unknown: return start + "><skipped message=\"\(text.xml)\"/></testcase>"
        case .allowed, .acknowledged, .warn, .none:
            return start + "><system-out>\(text.xml)</system-out></testcase>"
        }
    }

    private func open(_ name: String, _ className: String) -> String {
        "<testcase classname=\"\(className.xml)\" name=\"\(name.xml)\""
    }
}

extension String {
    /// Escapes text and attributes for XML 1.0, which has no control characters.
    fileprivate var xml: String {
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "\n", "\t": text += "&#\(scalar.value);"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: text += "\u{FFFD}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
