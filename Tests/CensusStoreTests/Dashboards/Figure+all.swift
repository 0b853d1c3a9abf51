extension Figure {
    private static func sum(_ column: String) -> @Sendable (Sums) -> Double? { { $0[column] } }

    private static func ratio(_ numerator: String, _ denominator: String) -> @Sendable (Sums) -> Double? {
        { $0.ratio(numerator, denominator) }
    }

    private static let bounds = [
        "certain": sum("devices_certain"), "expected": sum("devices_expected"), "possible": sum("devices_possible"),
    ]
    private static let widgets = [
        "certain": sum("widgets_certain"), "possible": sum("widgets_possible"),
        "naive: reported by the OS": sum("widgets_reported"),
    ]
    private static let ofSurface = ["surface": "surface"]
    private static let ofKind = ["surface": "surface", "kind": "kind"]
    /// Twelve kinds, or one in a repeated row.
    private static let ofKinds = ["surface": "surface", "kind": "kinds"]

    /// By dashboard and panel title.
    static let all: [String: [String: [Figure]]] = [
        "installs": installs, "decision": decision, "losses": losses, "quality": quality,
    ]

    private static let installs: [String: [Figure]] = [
        "How fresh are these numbers?": [Figure(report: "live_now", keys: ["as_of": "as_of"])],
        "How many kinds are in use?": [
            Figure(report: "live_now", chosen: ofSurface, values: ["kinds": { Double($0.count) }])
        ],
        "How many widgets are there at least, and at most?": [
            Figure(
                report: "live_now", chosen: ofKind, values: widgets)
        ],
        "How uncertain is the count?": [
            Figure(
                report: "live_now", chosen: ofKind,
                values: ["uncertain": { sums in sums.ratio("widgets_certain", "widgets_possible").map { 1 - $0 } }])
        ],
        "Which kinds are on the most devices now?": [
            Figure(
                report: "live_now", chosen: ofKinds, keys: ["kind": "kind"], values: bounds)
        ],
        "Which kinds grow, and which shrink?": [
            Figure(
                report: "live_kinds", chosen: ofKinds, keys: ["time": "day", "metric": "kind"],
                values: ["expected": sum("devices_expected")])
        ],
        "Why did widgets come and go?": [
            Figure(
                report: "changes", chosen: ofKind,
                rows: { row in
                    [(", added", "", "widgets_added"), (", gone", "-", "widgets_removed")].compactMap {
                        word, sign, column in
                        let widgets = row[column, default: "0"]
                        let metric = row["cause", default: ""] + word
                        return widgets == "0"
                            ? nil : ["day": row["day", default: ""], "metric": metric, "widgets": sign + widgets]
                    }
                },
                keys: ["time": "day", "metric": "metric"], values: ["widgets": sum("widgets")])
        ],
        "What share of the devices has any widget?": [
            Figure(
                report: "adoption", chosen: ["app_version": "versions"],
                keys: ["time": "day", "metric": "app_version"],
                values: ["share": ratio("devices_with_any_widget", "devices_active")])
        ],
        "How many devices run each version?": [
            Figure(
                report: "adoption", chosen: ["app_version": "versions"],
                keys: ["time": "day", "metric": "app_version"],
                values: ["devices": sum("devices_active")])
        ],
        "Where are the widgets?": [
            Figure(
                report: "live_installs", chosen: ofKind.merging(["app_version": "version"]) { $1 }, lastDays: 1,
                keys: ["platform": "platform", "OS version": "os_version", "family": "family"], values: widgets)
        ],
        "How many devices are active, with and without a widget?": [
            Figure(
                report: "active", only: ["kind": nil, "family": nil],
                rows: { row in
                    let day = ["day": row["day", default: ""]]
                    switch row["surface"] {
                    case nil: return [day.merging(["all weekly": row["devices_weekly", default: ""]]) { $1 }]
                    case "widget": return [day.merging(row) { $1 }]
                    default: return []
                    }
                },
                keys: ["time": "day"],
                values: [
                    "in a week, all": sum("all weekly"), "in a week, with a widget": sum("devices_weekly"),
                    "on the day, with a widget": sum("devices_daily"),
                ])
        ],
        "Which kinds do active devices hold?": [
            Figure(
                report: "active", chosen: ofKinds, only: ["family": nil], keys: ["time": "day", "metric": "kind"],
                values: ["devices": sum("devices_weekly")])
        ],
        "On how many devices is each kind opened?": [
            Figure(
                report: "usage", chosen: ofKinds, only: ["event": "opened"],
                keys: ["time": "day", "metric": "kind"], values: ["devices": sum("devices")])
        ],
        "How often are widgets opened, configured and rendered?": [
            Figure(
                report: "usage", chosen: ofKind, keys: ["time": "day", "metric": "event"],
                values: ["events": sum("events")])
        ],
        "Which widgets did each version add and take away?": [
            Figure(
                report: "changes_by_version", chosen: ofKind.merging(["app_version": "version"]) { $1 }, limit: 100,
                keys: ["version": "app_version", "cause": "cause"],
                values: [
                    "widgets added": sum("widgets_added"), "widgets gone": sum("widgets_removed"),
                    "devices added": sum("devices_added"), "devices gone": sum("devices_removed"),
                ])
        ],
        "How long do people keep $kinds?": [
            Figure(
                report: "retention", chosen: ofKinds,
                rows: { row in [row.merging(["week": "week " + row["week", default: ""]]) { $1 }] },
                keys: ["week": "week"],
                values: [
                    "certain": ratio("devices_still_certain", "devices_placed"),
                    "possible": ratio("devices_still_possible", "devices_placed"),
                ])
        ],
        "How many devices have $kinds?": [
            Figure(
                report: "live_kinds", chosen: ofKinds, keys: ["time": "day"],
                values: bounds.merging(["certain, first known": sum("devices_certain_first_known")]) { $1 })
        ],
        "How far off is the naive number of $kinds?": [
            Figure(
                report: "live_kinds", chosen: ofKinds, keys: ["time": "day"], values: widgets)
        ],
    ]

    private static let decision: [String: [Figure]] = [
        "Which legacy kinds can be dropped?": [
            Figure(
                report: "retirement",
                keys: ["kind": "kind", "surface": "surface", "verdict": "verdict", "ready on": "ready_on"],
                values: bounds.merging(
                    [
                        "silent": sum("devices_silent"), "limit": sum("limit_devices"),
                        "half-life, days": sum("half_life_days"),
                    ]) { $1 })
        ],
        "Can $kinds be dropped?": [
            Figure(
                report: "retirement", chosen: ofKinds, keys: ["verdict": "verdict"])
        ],
        "How soon will half of the devices with $kinds have dropped it?": [
            Figure(
                report: "retirement", chosen: ofKinds,
                values: [
                    "earliest": sum("half_life_low"), "half-life": sum("half_life_days"),
                    "latest": sum("half_life_high"),
                ])
        ],
        "When will $kinds be ready?": [
            Figure(
                report: "retirement", chosen: ofKinds,
                rows: { row in
                    let dates = [
                        "ready_on": "no date", "ready_on_earliest": "no date", "ready_on_latest": "open",
                    ]
                    return [dates.merging(row) { $1 }]
                },
                keys: ["earliest": "ready_on_earliest", "ready on": "ready_on", "latest": "ready_on_latest"])
        ],
        "Why is $kinds ready, or not?": [
            Figure(
                report: "retirement", chosen: ofKinds,
                rows: { row in
                    row["reason", default: ""].replacing(". ", with: ".\n").split(separator: "\n").map {
                        ["reason": String($0)]
                    }
                },
                keys: ["reason": "reason"])
        ],
        "How many devices with $kinds have the replacement?": [
            Figure(
                report: "retirement", chosen: ofKinds,
                values: [
                    "holders": sum("devices_possible"), "with the replacement": sum("devices_with_replacement"),
                    "without it": { sums in
                        sums["devices_with_replacement"].flatMap { with in sums["devices_possible"].map { $0 - with } }
                    },
                    "silent": sum("devices_silent"),
                ])
        ],
        "How far is $kinds from its limit?": [
            Figure(report: "live_kinds", chosen: ofKinds, keys: ["time": "day"], values: bounds),
            Figure(
                report: "retirement", chosen: ofKinds, isConstant: true,
                values: [
                    "limit": sum("limit_devices"),
                    "limit less silent devices": { sums in
                        sums["devices_silent"].flatMap { silent in sums["limit_devices"].map { max(0, $0 - silent) } }
                    },
                ]),
        ],
        "What else do devices with $kinds have?": [
            Figure(
                report: "overlap", chosen: ofKinds, keys: ["time": "day", "metric": "other_kind"],
                values: ["share": ratio("devices_with_both", "devices_with_kind")])
        ],
        "Which versions have $kinds?": [
            Figure(
                report: "live_installs", chosen: ofKinds.merging(["app_version": "versions"]) { $1 },
                keys: ["time": "day", "metric": "app_version"],
                values: ["possible": sum("widgets_possible")])
        ],
    ]

    private static let openLoss: [String: String?] = ["from_version": nil, "state": "open"]

    private static let losses: [String: [Figure]] = [
        "How many losses are open?": [
            Figure(
                report: "mass_losses", only: openLoss, values: ["incidents": { Double($0.count) }])
        ],
        "How many devices lost a kind in open losses?": [
            Figure(
                report: "mass_losses", only: openLoss, values: ["devices": sum("lost")])
        ],
        "How many devices are still at risk?": [
            Figure(
                report: "mass_losses", only: openLoss, values: ["devices": sum("devices_at_risk")])
        ],
        "How many updates are watched?": [
            Figure(
                report: "mass_losses", only: ["from_version": nil], values: ["updates": { Double($0.count) }])
        ],
        "Which incidents are there?": [
            Figure(
                report: "mass_losses", only: openLoss,
                keys: [
                    "kind": "kind", "surface": "surface", "updated to": "to_version", "state": "state",
                    "opened on": "opened_on",
                ],
                values: [
                    "lost": sum("lost"), "upgraders": sum("upgraders"), "loss rate": sum("loss_rate"),
                    "ordinary rate": sum("ordinary_rate"), "at risk": sum("devices_at_risk"),
                    "evidence": sum("evidence"),
                ])
        ],
        "Which updates lose more than usual?": [
            Figure(
                report: "mass_losses", chosen: ["kind": "kinds", "to_version": "versions"], only: ["from_version": nil],
                rows: { row in
                    [row.merging(["update": row["kind", default: ""] + " in " + row["to_version", default: ""]]) { $1 }]
                },
                keys: ["update": "update"],
                values: ["loss rate": sum("loss_rate"), "ordinary rate": sum("ordinary_rate")])
        ],
        "From which version did devices update that lost a kind?": [
            Figure(
                report: "mass_losses", chosen: ["kind": "kinds", "to_version": "versions"],
                rows: { $0["from_version"] == nil ? [] : [$0] },
                keys: ["kind": "kind", "from": "from_version", "to": "to_version", "state": "state"],
                values: [
                    "lost": sum("lost"), "upgraders": sum("upgraders"), "loss rate": sum("loss_rate"),
                    "ordinary rate": sum("ordinary_rate"), "at risk": sum("devices_at_risk"),
                ])
        ],
        "Which version took kinds away, day by day?": [
            Figure(
                report: "changes_by_version", chosen: ["kind": "kind", "app_version": "versions"],
                only: ["cause": "upgrade_loss"], keys: ["time": "day", "metric": "app_version"],
                values: ["devices": sum("devices_removed")])
        ],
        "What did updates take away, day by day?": [
            Figure(
                report: "changes", chosen: ["kind": "kinds"], only: ["cause": "upgrade_loss"],
                keys: ["time": "day", "metric": "kind"],
                values: ["widgets": sum("widgets_removed")])
        ],
    ]

    private static let quality: [String: [Figure]] = [
        "For what share of the devices is the state known?": [
            Figure(
                report: "coverage", lastDays: 1, values: ["share": sum("share_reporting")])
        ],
        "What share of the reads failed in the last week?": [
            Figure(
                report: "coverage", lastDays: 7, values: ["share": ratio("reads_failed", "reads")])
        ],
        "How many devices are cloned?": [
            Figure(
                report: "coverage", lastDays: 1, values: ["devices": sum("devices_cloned")])
        ],
        "What share of the devices applied the gallery policy?": [
            Figure(
                report: "coverage", lastDays: 1, values: ["share": ratio("policy_applied", "devices_active")])
        ],
        "How many devices are heard from, and how many report?": [
            Figure(
                report: "coverage", keys: ["time": "day"],
                values: ["active": sum("devices_active"), "reporting": sum("devices_reporting")])
        ],
        "When do reads fail?": [
            Figure(
                report: "coverage", keys: ["time": "day"], values: ["failed": ratio("reads_failed", "reads")])
        ],
        "How many reported widgets were ghosts?": [
            Figure(
                report: "ghosts", chosen: ofKind, keys: ["time": "day"],
                values: [
                    "suspect": sum("widgets_suspect"), "gone": sum("widgets_gone"),
                    "still there": sum("widgets_still_there"),
                ])
        ],
        "How wide are the bounds?": [
            Figure(
                report: "live_kinds", chosen: ofKinds, keys: ["time": "day", "metric": "kind"],
                values: ["uncertain": { sums in sums.ratio("devices_certain", "devices_possible").map { 1 - $0 } }])
        ],
        "Which OS versions keep listing widgets that are gone?": [
            Figure(
                report: "os_quirks",
                rows: { row in
                    let version = row["os_version"].flatMap { $0.isEmpty ? nil : $0 } ?? "(unknown)"
                    return [row.merging(["OS": row["platform", default: ""] + " " + version]) { $1 }]
                },
                keys: ["OS": "OS"],
                values: [
                    "low": sum("low"), "share that was gone": sum("gone_share"), "high": sum("high"),
                    "ordinary": sum("ordinary_removal_share"),
                ])
        ],
        "How strong is the evidence for a bug of the OS?": [
            Figure(
                report: "os_quirks",
                rows: { row in
                    let isProved = Double(row["low"] ?? "") ?? 0 > Double(row["ordinary_removal_share"] ?? "") ?? 0
                    return [row.merging(["bug": isProved ? "yes" : "not proved"]) { $1 }]
                },
                keys: ["platform": "platform", "OS version": "os_version", "bug": "bug"],
                values: [
                    "suspects": sum("suspects_settled"), "gone": sum("gone"), "still there": sum("still_there"),
                    "share": sum("gone_share"), "low": sum("low"), "high": sum("high"),
                    "ordinary": sum("ordinary_removal_share"),
                ])
        ],
        "Why were they refused?": [
            Figure(
                report: "refused", keys: ["code": "code", "last day": "day", "example": "example"],
                values: ["events": sum("events")])
        ],
        "What does the app send by mistake?": [
            Figure(
                report: "warned",
                keys: ["code": "code", "version": "app_version", "last day": "day", "example": "example"],
                values: ["devices": sum("devices")])
        ],
        "Which events were refused?": [
            Figure(
                report: "refused", keys: ["time": "day", "metric": "code"], values: ["events": sum("events")])
        ],
        "How many devices have zombies?": [
            Figure(
                report: "zombies", chosen: ofKinds.merging(["app_version": "version"]) { $1 },
                keys: ["time": "day", "metric": "kind"],
                values: ["devices": sum("devices")])
        ],
        "Which versions hold kinds that they no longer ship?": [
            Figure(
                report: "zombies", chosen: ofKind.merging(["app_version": "version"]) { $1 }, lastDays: 1, limit: 100,
                keys: ["kind": "kind", "version": "app_version"],
                values: ["devices": sum("devices"), "widgets": sum("widgets")])
        ],
    ]
}
