internal import CensusCore

extension PreflightReport {
    /// The JSON that docs/reference/preflight.schema.json defines.
    var json: String {
        var json = JSONBuilder()
        json.object { json in
            json.member("app") { json in
                guard !verdict.appID.isEmpty else { return json.literal("null") }
                json.object { json in
                    json.member("id", verdict.appID)
                    json.member("version", verdict.appVersion)
                }
            }
            json.member("outcome", verdict.outcome.rawValue)
            json.member("passed", verdict.isPassed)
            json.member("exit_status", Int(verdict.exitStatus))
            json.member("allows_unknown", verdict.allowsUnknown)
            json.member("conclusion", conclusion)
            json.member("doubts", verdict.doubts)
            json.member("base", verdict.base)
            json.member("limit_devices", verdict.limit)
            json.member("total") { $0.devices(verdict.total) }
            json.member("unacknowledged") { $0.devices(verdict.unacknowledged) }
            json.member("findings") { $0.array(verdict.findings, write) }
        }
        return json.text + "\n"
    }

    private func write(_ json: inout JSONBuilder, _ finding: PreflightFinding) {
        json.object { json in
            json.member("rule", finding.change.rule.rawValue)
            json.member("surface", finding.change.kind.surface.rawValue)
            json.member("kind", finding.change.kind.kind.text)
            json.member("old", finding.change.old)
            json.member("new", finding.change.new)
            json.member("severity", finding.severity.rawValue)
            json.member("loses", finding.change.rule.loss?.rawValue)
            json.member("fingerprint", finding.fingerprint)
            json.member("loss") { $0.loss(finding.loss) }
            json.member("by_version") { json in
                json.array(finding.byVersion) { json, part in
                    json.object { json in
                        json.member("app_version", part.version.text)
                        json.member("loss") { $0.loss(part.loss) }
                    }
                }
            }
            json.member("message", message(finding))
            json.member("help", help(finding))
            json.member("acknowledge", acknowledging(finding))
            json.member("acknowledgement") { $0.consent(finding.consent) }
        }
    }
}

extension JSONBuilder {
    fileprivate mutating func member(_ name: String, _ base: PreflightBase?) {
        guard let base else { return member(name) { $0.literal("null") } }
        member(name) { json in
            json.object { json in
                json.member("devices_active", base.devicesActive)
                json.member("devices_reporting", base.devicesReporting)
                json.member("devices_silent", base.devicesSilent)
                json.member("as_of", base.asOf?.description)
                json.member("versions", base.versions)
            }
        }
    }

    fileprivate mutating func devices(_ loss: PreflightLoss) {
        object { json in json.deviceMembers(loss) }
    }

    fileprivate mutating func loss(_ loss: PreflightLoss) {
        object { json in
            json.deviceMembers(loss)
            json.member("widgets_certain", loss.widgetsCertain)
            json.member("widgets_possible", loss.widgetsPossible)
        }
    }

    private mutating func deviceMembers(_ loss: PreflightLoss) {
        member("devices_certain", loss.devicesCertain)
        member("devices_possible", loss.devicesPossible)
        member("devices_silent", loss.devicesSilent)
    }

    fileprivate mutating func consent(_ consent: PreflightFinding.Consent) {
        let (state, given): (String, PreflightAcknowledgement)
        switch consent {
        case .none: return literal("null")
        case .holds(let acknowledgement): (state, given) = ("holds", acknowledgement)
        case .expired(let acknowledgement): (state, given) = ("expired", acknowledgement)
        case .withdrawn(let acknowledgement): (state, given) = ("withdrawn", acknowledgement)
        case .exceeded(let acknowledgement): (state, given) = ("exceeded", acknowledgement)
        }
        object { json in
            json.member("state", state)
            json.member("max_loss", given.maximumLoss)
            json.member("until", given.until.description)
            json.member("by", given.by)
            json.member("reason", given.reason)
            json.member("at", given.at.description)
        }
    }
}
