internal import CensusCore
internal import Foundation

extension PreflightReport {
    /// SARIF 2.1.0, the minimum that code scanning accepts.
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
                        json.member("version", WidgetCensus.version)
                        json.member("rules") { $0.array(PreflightRule.allCases, rule) }
                    }
                }
            }
        }
        json.member("invocations") { json in
            json.array([verdict]) { json, _ in
                json.object { json in
                    json.member("executionSuccessful", verdict.outcome != .unknown)
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
        json.member("results") { $0.array(verdict.findings, result) }
    }

    private func rule(_ json: inout JSONBuilder, _ rule: PreflightRule) {
        json.object { json in
            json.member("id", rule.rawValue)
            json.member("shortDescription") { $0.message(rule.summary) }
        }
    }

    private func result(_ json: inout JSONBuilder, _ finding: PreflightFinding) {
        let level =
            switch finding.severity {
            case .fail: "error"
            case .unknown, .warn, .allowed: "warning"
            case .acknowledged: "note"
            case .none: "none"
            }
        json.object { json in
            json.member("ruleId", finding.change.rule.rawValue)
            json.member("ruleIndex", PreflightRule.allCases.firstIndex(of: finding.change.rule))
            json.member("kind", level == "none" ? "pass" : "fail")
            json.member("level", level)
            json.member("message") { $0.message(message(finding)) }
            json.member("locations") { json in
                json.array([file]) { json, file in
                    json.object { json in json.member("physicalLocation") { $0.place(file) } }
                }
            }
            json.member("partialFingerprints") { json in
                json.object { json in json.member("widgetCensusPreflight/v1", finding.fingerprint) }
            }
            guard case .holds(let given) = finding.consent else { return }
            json.member("suppressions") { json in
                json.array([given]) { json, given in
                    json.object { json in
                        json.member("kind", "external")
                        json.member("justification", given.reason)
                    }
                }
            }
        }
    }
}

extension JSONBuilder {
    fileprivate mutating func message(_ text: String) {
        object { json in json.member("text", text) }
    }

    fileprivate mutating func place(_ file: String) {
        object { json in
            json.member("artifactLocation") { json in
                json.object { json in
                    let name = file == "-" ? "manifest.json" : file
                    json.member("uri", name.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? name)
                }
            }
            json.member("region") { json in
                json.object { json in json.member("startLine", 1) }
            }
        }
    }
}

extension PreflightRule {
    /// What it finds, as part of a sentence.
    fileprivate var summary: String {
        switch self {
        case .kindDropped: "a kind that devices hold is not shipped any more"
        case .kindRenamed: "a kind that devices hold is shipped under another name"
        case .providerMoved: "the class of an Android provider has another package"
        case .allFamiliesDropped: "a kind offers no family any more"
        case .familyDropped: "a kind does not offer a family any more"
        case .familyUnknown: "whether a kind stops offering a family that is held is not known"
        case .intentChanged: "a kind is configured by another intent, which migrates nothing"
        case .intentDropped: "a configurable kind becomes static"
        case .intentAdded: "a static kind becomes configurable"
        case .intentUnknown: "whether a kind's intent changes is not known"
        case .unprefixedIntent: "the name of an intent is a single word"
        }
    }
}
