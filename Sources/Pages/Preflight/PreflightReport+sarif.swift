internal import CensusCore
internal import Foundation

extension PreflightReport {
    /// SARIF 2.1.0 for GitHub's code scanning. It tells alerts apart by rule, file and `primaryLocationLineHash`, ignores
    /// suppressions, shows passing results as alerts, and closes every alert that a later upload lacks. So settled findings are
    /// left out, and a run without a verdict has a result that says so.
    var sarif: String {
        var json = JSONBuilder()
        json.object { json in
            json.member("$schema", "https://json.schemastore.org/sarif-2.1.0.json")
            json.member("version", "2.1.0")
            json.member("runs") { json in
                json.array([verdict]) { json, _ in json.object { json in run(&json) } }
            }
        }
        return json.text + "\n"
    }

    private func run(_ json: inout JSONBuilder) {
        json.member("tool") { json in
            json.object { json in
                json.member("driver") { json in
                    json.object { json in
                        json.member("name", "widget-census preflight")
                        json.member("version", version)
                        json.member("rules") { $0.array(PreflightReport.rules, rule) }
                    }
                }
            }
        }
        json.member("invocations") { json in
            json.array([verdict]) { json, _ in
                json.object { json in
                    json.member("executionSuccessful", verdict.outcome == .pass || verdict.outcome == .fail)
                    json.member("exitCode", Int(verdict.exitStatus))
                    json.member("toolExecutionNotifications") { json in
                        json.array(verdict.doubts) { json, doubt in
                            json.object { json in
                                json.member("level", verdict.allowsUnknown ? "warning" : "error")
                                json.member("message") { $0.message(doubt) }
                            }
                        }
                    }
                }
            }
        }
        json.member("columnKind", "utf16CodeUnits")
        json.member("results") { $0.array(remarks.filter { !$0.isSettled }, result) }
    }

    /// Each rule with its summary.
    private static let rules =
        PreflightRule.allCases.map { (rule: $0.rawValue, summary: $0.summary) } + [undecided, invalid]

    private func rule(_ json: inout JSONBuilder, _ rule: (rule: String, summary: String)) {
        json.object { json in
            json.member("id", rule.rule)
            json.member("shortDescription") { $0.message(rule.summary) }
            json.member("fullDescription") { $0.message(rule.summary) }
            json.member("help") { $0.message("See docs/guides/preflight.md of Widget Census.") }
        }
    }

    private func result(_ json: inout JSONBuilder, _ remark: PreflightRemark) {
        json.object { json in
            json.member("ruleId", remark.rule)
            json.member("ruleIndex", PreflightReport.rules.firstIndex { $0.rule == remark.rule })
            json.member("kind", "fail")
            json.member("level", remark.level == .error ? "error" : "warning")
            json.member("message") { $0.message(remark.text) }
            json.member("locations") { json in
                json.array([location]) { json, file in
                    json.object { json in json.member("physicalLocation") { $0.place(remark.place, in: file) } }
                }
            }
            json.member("partialFingerprints") { json in
                json.object { json in
                    json.member("primaryLocationLineHash", remark.fingerprint)
                    json.member("widgetCensusPreflight/v1", remark.fingerprint)
                }
            }
        }
    }
}

extension JSONBuilder {
    fileprivate mutating func message(_ text: String) {
        object { json in json.member("text", text) }
    }

    fileprivate mutating func place(_ place: ManifestPlaces.Place, in file: String) {
        object { json in
            json.member("artifactLocation") { json in
                json.object { json in
                    json.member("uri", file.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file)
                }
            }
            json.member("region") { json in
                json.object { json in
                    json.member("startLine", place.line)
                    guard let end = place.endColumn else { return }
                    json.member("startColumn", place.column)
                    json.member("endColumn", end)
                }
            }
        }
    }
}

extension PreflightRule {
    /// What the rule finds.
    fileprivate var summary: String {
        switch self {
        case .kindDropped: "a kind that devices have is no longer shipped"
        case .kindRenamed: "a kind that devices have is shipped under another name"
        case .providerMoved: "the class of an Android provider moved to another package"
        case .allFamiliesDropped: "a kind no longer offers any family"
        case .familyDropped: "a kind no longer offers a family"
        case .familyUnknown: "it is not known whether a kind stops offering a family that devices have"
        case .intentChanged: "a kind has another intent, which doesn't migrate the old one's settings"
        case .intentDropped: "a configurable kind becomes static"
        case .intentAdded: "a static kind becomes configurable"
        case .intentUnknown: "it is not known whether a kind's intent changes"
        case .unprefixedIntent: "the name of an intent is a single word"
        }
    }
}
