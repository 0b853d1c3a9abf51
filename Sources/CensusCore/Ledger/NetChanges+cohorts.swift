/// What a device adds to the cohorts of devices: how long it keeps a kind, when it first holds a widget, and on how many days
/// it is heard from.
extension NetChanges {
    mutating func addCohorts(_ reading: DeviceReading, times: Int) {
        for (kind, joined) in reading.cohorts.joined { addLifetime(of: kind, joined, reading, times: times) }
        addFirstWidget(reading, times: times)
        addEngagement(reading, reading.uses, times: times)
    }

    /// Adds the end of the first time with a kind. A device that fell silent with it was lost sight of then.
    private mutating func addLifetime(
        of kind: KindCell, _ joined: Cohorts.Joined, _ reading: DeviceReading, times: Int
    ) {
        let silence = reading.isSilent ? Cohorts.End(at: reading.silentAt, cause: .silent) : nil
        guard let week = joined.week, let end = joined.ended ?? silence else { return }
        let (first, last) = (reading.zone.day(of: joined.heldFrom), reading.zone.day(of: end.at))
        var cell = CohortCell(kind: kind, week: week)
        cell.kind.day = max(last, week).weekEnd
        lifetimes.add(1, to: LifetimeCell(cohort: cell, days: last.days(since: first), cause: end.cause), times: times)
    }

    /// Adds the device to those without a widget when the week ends in which it was first heard from, and moves it when it
    /// holds its first one.
    private mutating func addFirstWidget(_ reading: DeviceReading, times: Int) {
        guard let heard = reading.firstHeard else { return }
        let first = reading.zone.day(of: heard.at)
        var cell = FirstWidgetCell(day: first.weekEnd, platform: heard.platform, week: first.week, outcome: .never)
        firstWidgets.add(1, to: cell, times: times)
        guard let widget = reading.cohorts.firstWidget else { return }
        let held = max(first, reading.zone.day(of: widget.at))
        cell.day = held.weekEnd
        firstWidgets.add(-1, to: cell, times: times)
        cell.days = held.days(since: first)
        cell.outcome = widget.isPlaced ? cell.days <= FirstWidgetCell.mostDays ? .days : .later : .before
        if cell.outcome != .days { cell.days = 0 }
        firstWidgets.add(1, to: cell, times: times)
    }

    /// Adds the days on which the device was heard from, by the weeks since it was first.
    ///
    /// - Parameter uses: those since the week before ``DeviceReading/changedFrom``. Weeks that ended before that day are left
    ///   out.
    mutating func addEngagement(_ reading: DeviceReading, _ uses: DeviceUses, times: Int) {
        guard let heard = reading.firstHeard else { return }
        let first = reading.zone.day(of: heard.at)
        let hasWidget = reading.cohorts.firstWidget.map { reading.zone.day(of: $0.at) < first + 7 } ?? false
        // A cohort's last device is first heard from on Sunday, so its week ends on the next Saturday.
        var cell = EngagementCell(day: first.weekEnd + 7, week: first.week, hasWidget: hasWidget)
        var amounts = EngagementAmounts()
        amounts.devices = 1
        engagement.add(amounts, to: cell, times: times)
        let weeks = Dictionary(grouping: uses.heard.filter { $0 >= first }) { Int($0.days(since: first) / 7) }
        for (week, days) in weeks where first + 7 * (week + 1) > reading.changedFrom {
            cell.day = first.weekEnd + 7 * (week + 1)
            amounts.devices = 0
            amounts.active = 1
            amounts.activeDays = days.count
            engagement.add(amounts, to: cell, times: times)
        }
    }
}

extension Day {
    fileprivate func days(since other: Day) -> Int64 { Int64(daysSince1970) - Int64(other.daysSince1970) }
}
