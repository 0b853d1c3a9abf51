-- Comments on tables and columns in plain English. Comments on views are in sql/views and sql/reports.

comment on schema census_schema is 'The applied migrations.';

comment on table census.acknowledgement is 'Lookup, append-only. Preflight findings that a person accepted; the last one of a fingerprint is valid.';
comment on column census.acknowledgement.maximum_loss is 'At most how many devices can lose a widget by it; if more can, it is not valid.';
comment on column census.acknowledgement.until_day is 'The last day on which it is valid, in UTC.';
comment on column census.acknowledgement.reason is 'Why, in the words of the person.';
comment on column census.acknowledgement.acknowledged_at is 'When it was accepted.';
comment on column census.acknowledgement.rule is 'The finding''s rule, if a manifest was available; null: unknown.';
comment on column census.acknowledgement.surface is 'The finding''s surface; null: unknown.';
comment on column census.acknowledgement.kind is 'The finding''s kind; null: unknown.';
comment on column census.acknowledgement.app_version is 'The version to be released; null: unknown.';

comment on table census.active_day is 'Local aggregate. Distinct devices that were active at the end of each closed day, in total and among those that certainly had something.';
comment on column census.active_day.day is 'Day in the app''s time zone.';
comment on column census.active_day.scope is 'Which devices it counts: all, or those with a widget of the surface, of the kind, of the family, or of kind and family.';
comment on column census.active_day.surface is 'widget, control, live_activity or today; empty if the scope is all.';
comment on column census.active_day.kind is 'The widget''s kind; empty if the scope has none.';
comment on column census.active_day.family is 'systemSmall and so on; empty if the scope has none.';
comment on column census.active_day.devices_daily is 'Devices heard from that day.';
comment on column census.active_day.devices_weekly is 'Devices heard from in the seven days ending that day.';
comment on column census.active_day.devices_in_window is 'Devices heard from in the activity window ending that day.';

comment on table census.active_entry is 'Local queue. Net changes of active_day that no night has processed; each changes this day and all later ones.';
comment on column census.active_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.active_entry.day is 'Day in the app''s time zone.';
comment on column census.active_entry.scope is 'Which devices it counts: all, or those with a widget of the surface, of the kind, of the family, or of kind and family.';
comment on column census.active_entry.surface is 'widget, control, live_activity or today; empty if the scope is all.';
comment on column census.active_entry.kind is 'The widget''s kind; empty if the scope has none.';
comment on column census.active_entry.family is 'systemSmall and so on; empty if the scope has none.';
comment on column census.active_entry.devices_daily is 'Devices heard from that day.';
comment on column census.active_entry.devices_weekly is 'Devices heard from in the seven days ending that day.';
comment on column census.active_entry.devices_in_window is 'Devices heard from in the activity window ending that day.';

comment on table census.api_key is 'Lookup. The keys that were issued; the keys themselves are not stored.';
comment on column census.api_key.role is 'write: included in apps; read: console and reports; release: manifests.';
comment on column census.api_key.revoked_at is 'When it was revoked; null: it is valid.';
comment on column census.api_key.channel is 'Channel of everything sent with it, whatever the batch says; null: the channel of the batch.';

comment on table census.app is 'Lookup. One application: the tenant, and its settings.';
comment on column census.app.app_number is 'Represents app_id in the large tables.';
comment on column census.app.window_days is 'Days for which a device counts after it was last heard from, including that day.';
comment on column census.app.maximum_kinds is 'Distinct widget kinds accepted from clients; further ones are refused as too_many_kinds.';
comment on column census.app.maximum_families is 'Distinct families accepted from clients; further ones count as (other).';
comment on column census.app.limit_devices is 'A legacy kind is ready when at most this many devices possibly have it ...';
comment on column census.app.limit_share is '... and at most this share of the active devices, but three devices are always allowed ...';
comment on column census.app.ready_days is '... on this many consecutive days that have ended and are closed ...';
comment on column census.app.doubted_builds is 'OS builds whose lists are not trusted, such as the betas of iOS 14.0: what they list is only possible.';
comment on column census.app.false_alarms is 'How many false incidents of mass loss a year are acceptable.';

comment on table census.app_night is 'Local. The result of the last night for each app.';
comment on column census.app_night.fault is 'Why they have not been closed since: away, data, set_up or ours; null: they have.';
comment on column census.app_night.failure is 'The reason as a sentence, without data.';
comment on column census.app_night.failed_at is 'When closing failed.';
comment on column census.app_night.is_doubted is 'Whether the next night recounts its ledger from the spans before it closes a day.';
comment on column census.app_night.recounted_at is 'When its ledger was last recounted.';

comment on table census.change_day is 'Local aggregate. Certain placements added and removed on each closed day, by cause.';
comment on column census.change_day.day is 'Day in the app''s time zone.';
comment on column census.change_day.family is 'systemSmall and so on; empty if the app does not send it.';
comment on column census.change_day.widgets_removed is 'Placements that stopped being certain.';

comment on table census.change_entry is 'Local queue. Net changes of change_day that no night has processed; each changes only this day.';
comment on column census.change_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.change_entry.day is 'Day in the app''s time zone.';
comment on column census.change_entry.family is 'systemSmall and so on; empty if the app does not send it.';
comment on column census.change_entry.widgets_removed is 'Placements that stopped being certain.';

comment on column census.closed_day.day is 'Day in the app''s time zone.';

comment on table census.cohort_day is 'Local aggregate. How each week that has ended changed the devices that placed a kind in one week; their number is the sum over all weeks.';
comment on column census.cohort_day.day is 'Sunday that ends the week, in the app''s time zone.';
comment on column census.cohort_day.week is 'Monday of the week in which the devices first placed the kind.';
comment on column census.cohort_day.devices_placed is 'The number of devices in that week; in later weeks 0, or a change by late data.';
comment on column census.cohort_day.devices_certain is 'Change during the week of how many certainly have the kind.';
comment on column census.cohort_day.devices_possible is 'Change during the week of how many certainly or possibly have it.';

comment on table census.cohort_entry is 'Local queue. Net changes of cohort_day that no night has processed; each changes only this week.';
comment on column census.cohort_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.cohort_entry.day is 'Sunday that ends the week, in the app''s time zone.';
comment on column census.cohort_entry.week is 'Monday of the week in which the devices first placed the kind.';
comment on column census.cohort_entry.devices_placed is 'The number of devices in that week; in later weeks 0, or a change by late data.';
comment on column census.cohort_entry.devices_certain is 'Change during the week of how many certainly have the kind.';
comment on column census.cohort_entry.devices_possible is 'Change during the week of how many certainly or possibly have it.';

comment on column census.device.is_settled is 'The device has booted since the app''s first launch, so its lists are true.';
comment on column census.device.is_cloned is 'An installation that had ended kept sending.';
comment on column census.device.silent_at is 'When the device leaves all counts, unless it is heard from before.';
comment on column census.device.checkpoint is 'The fold''s state after the last reconciled observation. If it is null, or from other rules, the device is folded again from its base.';
comment on column census.device.folded_through is 'The latest corrected time that is in the checkpoint; later observations are folded onto it.';
comment on column census.device.zone is 'Zone by whose days its net changes were entered; null: it was not counted yet.';
comment on column census.device.reporting_until is 'Until when its last successful report of any installation counts; null: no report succeeded.';
comment on column census.device.due_at is 'When to apply the next time-based change (silent_at, reporting_until), or earlier. Changes before it are entered; null: all are entered.';
comment on column census.device.legacy_kinds is 'For how many of the kinds that were ever marked legacy, in the order in which they first were, its overlaps are counted.';
comment on column census.device.widgets_until is 'When its newest successful list of widgets from this installation gets older than the activity window; null: it sent none.';

comment on table census.deployment is 'Lookup. Facts that never change for this database; one row.';
comment on column census.deployment.secret_fingerprint is 'SHA-256 of the key with which ids are hashed; with another key, every device would count twice.';

comment on table census.device_base is 'Device. The state that a device''s observations led to that are no longer kept; late data is folded onto it.';
comment on column census.device_base.folded_through is 'Observations up to this time are no longer needed.';
comment on column census.device_base.state is 'The fold''s state then, in any format and under any rules. It is evidence that cannot be recreated.';

comment on table census.device_cohort is 'Device. When each device first placed a kind, and when it first sent a list of each surface.';
comment on column census.device_cohort.kind is 'The widget''s kind; empty: the row is about the surface''s first list.';
comment on column census.device_cohort.held_from is 'When it first had the kind, certainly or possibly, or when the surface''s first list arrived; on the server''s clock.';
comment on column census.device_cohort.week is 'Monday of that week; null: unknown, because the kind was in the first list of its surface, or used before.';

comment on table census.device_day is 'Local aggregate. Devices heard from in the activity window that ended with each closed day; each device is in one row per day.';
comment on column census.device_day.day is 'Day in the app''s time zone.';
comment on column census.device_day.app_version is 'App version on the device when the day ended.';
comment on column census.device_day.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.device_day.gallery_policy is 'Version of the gallery policy that the device had applied; 0: none.';
comment on column census.device_day.devices_with_widget is 'Of these, certainly had a placement on the surface widget or today.';
comment on column census.device_day.devices_cloned is 'Of these, known to exist twice: an installation that had ended kept sending.';

comment on table census.device_entry is 'Local queue. Net changes of device_day that no night has processed; each changes this day and all later ones.';
comment on column census.device_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.device_entry.day is 'Day in the app''s time zone.';
comment on column census.device_entry.app_version is 'App version on the device when the day ended.';
comment on column census.device_entry.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.device_entry.gallery_policy is 'Version of the gallery policy that the device had applied; 0: none.';
comment on column census.device_entry.devices_with_widget is 'Of these, certainly had a placement on the surface widget or today.';
comment on column census.device_entry.devices_cloned is 'Of these, known to exist twice: an installation that had ended kept sending.';

comment on column census.device_use.month is 'First day of the month.';
comment on column census.device_use.use is 'heard (any event), opened, configured or rendered.';
comment on column census.device_use.days is 'Days of the month, starting with 1, in the zone by which the device is counted.';
comment on column census.device_use.events is 'Number of events on each of the days; for heard only whether there were any.';

comment on table census.forgotten is 'Local. Forgotten devices. Their events are accepted and dropped until retention ends.';
comment on column census.forgotten.forgotten_at is 'When the erasure was last requested.';
comment on column census.forgotten.erasing_device_id is 'The device_id while something about the device might still be stored; null: everything is deleted.';

comment on table census.holder_day is 'Local. Empty and no longer used; replaced by move_day.';
comment on column census.holder_day.day is 'Day in the app''s time zone.';
comment on column census.holder_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name if placements have several causes.';
comment on column census.holder_day.devices_added is 'Devices on which the kind became certain.';
comment on column census.holder_day.devices_removed is 'Devices on which the kind stopped being certain.';

comment on table census.holder_entry is 'Local. Empty and no longer used; replaced by move_entry.';
comment on column census.holder_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.holder_entry.day is 'Day in the app''s time zone.';
comment on column census.holder_entry.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; the first by name if placements have several causes.';
comment on column census.holder_entry.devices_added is 'Devices on which the kind became certain.';
comment on column census.holder_entry.devices_removed is 'Devices on which the kind stopped being certain.';

comment on table census.install_day is 'Local aggregate. Devices and widgets at the end of each closed day, by family, versions and platform; rows of zeros are deleted.';
comment on column census.install_day.day is 'Day in the app''s time zone.';
comment on column census.install_day.family is 'systemSmall and so on; empty if the app does not send it.';
comment on column census.install_day.app_version is 'App version on the device when the day ended.';
comment on column census.install_day.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.install_day.devices_certain is 'At least this many devices had it.';
comment on column census.install_day.devices_possible is 'At most this many devices had it.';
comment on column census.install_day.widgets_certain is 'Certain placements.';
comment on column census.install_day.widgets_possible is 'Certain or possible placements.';
comment on column census.install_day.widgets_reported is 'Placements that the OS listed.';
comment on column census.install_day.cell is 'Represents the six columns after the day: the first 16 bytes of a SHA-256.';

comment on table census.install_entry is 'Local queue. Net changes of install_day that no night has processed; each changes this day and all later ones.';
comment on column census.install_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.install_entry.day is 'Day in the app''s time zone.';
comment on column census.install_entry.family is 'systemSmall and so on; empty if the app does not send it.';
comment on column census.install_entry.app_version is 'App version on the device when the day ended.';
comment on column census.install_entry.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.install_entry.devices_certain is 'Net change of devices_certain.';
comment on column census.install_entry.devices_possible is 'Net change of devices_possible.';
comment on column census.install_entry.widgets_certain is 'Certain placements.';
comment on column census.install_entry.widgets_possible is 'Certain or possible placements.';
comment on column census.install_entry.widgets_reported is 'Placements that the OS listed.';
comment on column census.install_entry.cell is 'Represents the six columns after the day: the first 16 bytes of a SHA-256.';

comment on table census.kind_act is 'Local. Decisions about a kind: who, when, and based on which numbers. The last act is valid.';
comment on column census.kind_act.acted_at is 'When it was decided.';
comment on column census.kind_act.devices_certain is 'devices_certain of live_now at that moment.';
comment on column census.kind_act.devices_possible is 'devices_possible of live_now at that moment.';
comment on column census.kind_act.reason is 'Why, in the words of the person who decided; null: no reason given.';
comment on column census.kind_act.replaced_by is 'Kind that replaces it; null: none was named.';
comment on column census.kind_act.figures is 'Readiness of the kind when it was decided, as in `kinds show --format json`; null for acts from before it was stored.';

comment on column census.kind_day.day is 'Day in the app''s time zone.';
comment on column census.kind_day.devices_certain is 'At least this many devices had it.';
comment on column census.kind_day.devices_possible is 'At most this many devices had it.';
comment on column census.kind_day.devices_still_there is 'Of those that only possibly had it: later proved, or presumed, to have had it.';
comment on column census.kind_day.widgets_certain is 'Certain placements.';
comment on column census.kind_day.widgets_possible is 'Certain or suspect placements.';
comment on column census.kind_day.widgets_reported is 'Placements that the OS listed.';
comment on column census.kind_day.devices_certain_first_known is 'devices_certain as it was when the day was first closed.';
comment on column census.kind_day.devices_possible_first_known is 'devices_possible as it was when the day was first closed.';
comment on column census.kind_day.devices_reported is 'Devices whose OS listed it: the naive number.';
comment on column census.kind_day.widgets_suspect is 'Placements that the OS listed and that might have been stale: suspects.';
comment on column census.kind_day.widgets_gone is 'Suspects that later proved to be gone: ghosts.';
comment on column census.kind_day.widgets_still_there is 'Suspects that later proved to have been there.';
comment on column census.kind_day.devices_silent is 'Devices that went silent with it at most a year before; no other number includes them.';

comment on table census.kind_day_unsettled is 'Local aggregate. Devices that possibly had a kind and whose suspects are not settled, by the OS of the claim. Their weight can change later; these numbers cannot.';
comment on column census.kind_day_unsettled.day is 'Day in the app''s time zone.';
comment on column census.kind_day_unsettled.platform is 'Platform that first listed them.';
comment on column census.kind_day_unsettled.os_version is 'OS version that first listed them; empty if unknown.';

comment on table census.kind_entry is 'Local queue. Net changes of kind_day that no night has processed; each changes this day and all later ones.';
comment on column census.kind_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.kind_entry.day is 'Day in the app''s time zone.';
comment on column census.kind_entry.devices_certain is 'Net change of devices_certain.';
comment on column census.kind_entry.devices_possible is 'Net change of devices_possible.';
comment on column census.kind_entry.devices_still_there is 'Of those that only possibly had it: later proved, or presumed, to have had it.';
comment on column census.kind_entry.widgets_certain is 'Certain placements.';
comment on column census.kind_entry.widgets_possible is 'Certain or suspect placements.';
comment on column census.kind_entry.widgets_reported is 'Placements that the OS listed.';
comment on column census.kind_entry.devices_reported is 'Devices whose OS listed it: the naive number.';
comment on column census.kind_entry.widgets_suspect is 'Placements that the OS listed and that might have been stale: suspects.';
comment on column census.kind_entry.widgets_gone is 'Suspects that later proved to be gone: ghosts.';
comment on column census.kind_entry.widgets_still_there is 'Suspects that later proved to have been there.';
comment on column census.kind_entry.devices_silent is 'Devices that went silent with it at most a year before; no other number includes them.';

comment on table census.kind_unsettled_entry is 'Local queue. Net changes of kind_day_unsettled that no night has processed; each changes this day and all later ones.';
comment on column census.kind_unsettled_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.kind_unsettled_entry.day is 'Day in the app''s time zone.';
comment on column census.kind_unsettled_entry.platform is 'Platform that first listed them.';
comment on column census.kind_unsettled_entry.os_version is 'OS version that first listed them; empty if unknown.';

comment on table census.kinds_lock is 'Local, empty. Locked while people decide about kinds (exclusive).';

comment on table census.known_name is 'Lookup. Kinds, families and versions seen so far, which count against the caps that protect from broken clients.';

comment on table census.loss_act is 'Lookup, append-only. When incidents were opened, acknowledged and closed.';
comment on column census.loss_act.to_version is 'The version that devices updated to.';
comment on column census.loss_act.state is 'The new state of the incident: open, acknowledged or closed.';
comment on column census.loss_act.acted_at is 'When it happened.';
comment on column census.loss_act.reason is 'Why, in the words of the person; null: no reason given.';
comment on column census.loss_act.figures is 'The figures from the pairs at that time, named like loss_watch''s columns.';

comment on table census.loss_detail is 'Local aggregate. Properties that updated devices have in common: the OS version, and kinds that first appear in the report without the lost one.';
comment on column census.loss_detail.to_version is 'The version that devices updated to.';
comment on column census.loss_detail.detail is 'os: an OS version; gained: a kind that they reported for the first time.';
comment on column census.loss_detail.upgraders is 'Devices that had the kind for certain, updated and reported again; for a gained kind only those that lost it.';
comment on column census.loss_detail.lost is 'Of these, devices whose next report no longer listed it.';

comment on table census.loss_origin is 'Local aggregate. loss_watch for each version that devices came from.';
comment on column census.loss_origin.to_version is 'The version that devices updated to.';
comment on column census.loss_origin.upgraders is 'Devices that had the kind for certain, updated and reported again.';
comment on column census.loss_origin.lost is 'Of these, devices whose next report no longer listed it.';
comment on column census.loss_origin.exposed_seconds is 'Total time between the reports of devices that updated.';
comment on column census.loss_origin.others is 'Pairs of reports without an update, from days on which other devices updated.';
comment on column census.loss_origin.others_lost is 'Of the others, pairs whose second report no longer lists it.';
comment on column census.loss_origin.others_seconds is 'Total time between the reports of the others.';
comment on column census.loss_origin.evidence is 'Evidence for a loss in updates from this version: an e-value, starting at 1.';
comment on column census.loss_origin.z is 'Standard deviations between lost and the number expected from the others'' rate; description only.';
comment on column census.loss_origin.devices_at_risk is 'Devices that had the kind for certain on this version when the last closed day ended.';

comment on table census.loss_version is 'Lookup, append-only. Versions that devices updated to, each with its share of the year''s budget of false alarms.';
comment on column census.loss_version.place is 'How many versions had appeared before it that year.';
comment on column census.loss_version.kinds is 'Kinds with at least 20 holders when it appeared; they divide its share of the budget.';
comment on column census.loss_version.false_alarms is 'The app''s budget at that time: expected false incidents a year.';

comment on table census.loss_watch is 'Local aggregate. For each kind and target version: whether the update takes the kind away, judged by pairs of reports.';
comment on column census.loss_watch.to_version is 'The version that devices updated to.';
comment on column census.loss_watch.chance is 'Allowed chance of a false alarm; an incident opens at the evidence 2 / chance. Fixed beforehand.';
comment on column census.loss_watch.tolerance is 'How many times as fast as the others updated devices are allowed to lose it. Fixed beforehand.';
comment on column census.loss_watch.bound is 'Upper bound of the losses of other devices per day of exposure, from the pairs with short gaps before the first update; null: there were none. Fixed beforehand.';
comment on column census.loss_watch.upgraders is 'Devices that had the kind for certain, updated and reported again.';
comment on column census.loss_watch.lost is 'Of these, devices whose next report no longer listed it.';
comment on column census.loss_watch.excused is 'Of the lost ones, those that a person had accepted beforehand.';
comment on column census.loss_watch.exposed_seconds is 'Total time between the reports of devices that updated.';
comment on column census.loss_watch.others is 'Pairs of reports without an update, from days on which other devices updated.';
comment on column census.loss_watch.others_lost is 'Of the others, pairs whose second report no longer lists it.';
comment on column census.loss_watch.others_seconds is 'Total time between the reports of the others.';
comment on column census.loss_watch.evidence is 'Evidence for a loss: an e-value, starting at 1.';
comment on column census.loss_watch.z is 'Standard deviations between lost and the number expected from the others'' rate; description only.';
comment on column census.loss_watch.smallest_seen is 'The smallest share lost that these numbers could have shown; null: none.';
comment on column census.loss_watch.devices_at_risk is 'Devices that had the kind for certain on an older version when the last closed day ended.';
comment on column census.loss_watch.opened_on is 'Day whose pairs sufficed to open an incident; null: none was opened.';
comment on column census.loss_watch.judged_on is 'Last day whose pairs are included.';
comment on column census.loss_watch.long_bound is 'The same from the pairs with long gaps.';
comment on column census.loss_watch.late is 'Of the upgraders, devices that are no evidence because they reported again only after 14 days.';
comment on column census.loss_watch.unmatched is 'Of the upgraders, devices that are no evidence because there were no others to compare with, and no bound was low enough to show anything.';
comment on column census.loss_watch.unmatched_with_os is 'The same for devices that also updated the OS.';

comment on table census.losses_lock is 'Local, empty. Locked while updates are watched or people act on incidents (exclusive).';

comment on table census.manifest is 'Lookup, append-only. The manifest of each app version.';
comment on column census.manifest.added_by is 'Who added it: a name, or the first digits of the hash of a release key.';
comment on column census.manifest.digest is 'SHA-256 of the manifest in its canonical spelling. An equal manifest changes nothing; a different one is refused.';
comment on column census.manifest.source is 'The file as it was received.';

comment on column census.manifest_kind.replaces is 'Kind that it is offered instead of; null: none.';

comment on table census.move_day is 'Local aggregate. Certain placements added and removed on each closed day, and devices that gained or lost a kind, by versions and platform.';
comment on column census.move_day.day is 'Day in the app''s time zone.';
comment on column census.move_day.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; for devices the first by name if placements have several causes.';
comment on column census.move_day.app_version is 'App version on the device from then on, or its last one; empty if unknown.';
comment on column census.move_day.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.move_day.platform is 'ios, ipados, macos, watchos, visionos or android; empty if unknown.';
comment on column census.move_day.widgets_removed is 'Placements that stopped being certain.';
comment on column census.move_day.devices_added is 'Devices on which the kind became certain.';
comment on column census.move_day.devices_removed is 'Devices on which the kind stopped being certain.';

comment on table census.move_entry is 'Local queue. Net changes of move_day that no night has processed; each changes only this day.';
comment on column census.move_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.move_entry.day is 'Day in the app''s time zone.';
comment on column census.move_entry.cause is 'installed, removed, configured, reinstalled, upgrade_loss, silent, returned or forgotten; for devices the first by name if placements have several causes.';
comment on column census.move_entry.app_version is 'App version on the device from then on, or its last one; empty if unknown.';
comment on column census.move_entry.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.move_entry.platform is 'ios, ipados, macos, watchos, visionos or android; empty if unknown.';
comment on column census.move_entry.widgets_removed is 'Placements that stopped being certain.';
comment on column census.move_entry.devices_added is 'Devices on which the kind became certain.';
comment on column census.move_entry.devices_removed is 'Devices on which the kind stopped being certain.';

comment on table census.night_run is 'Local. Each run of the nightly job.';
comment on column census.night_run.finished_at is 'When it ended; null: it is still running, or was killed.';
comment on column census.night_run.failure is 'Why it failed, or could not close the days of some apps; null: nothing failed.';
comment on column census.night_run.partitions_made is 'Partitions of observations created ahead.';
comment on column census.night_run.partitions_dropped is 'Partitions dropped because they are past the retention.';
comment on column census.night_run.close_seconds is 'How long it took to apply net changes and close days.';
comment on column census.night_run.verify_seconds is 'How long the check took; null: it was not requested.';
comment on column census.night_run.apps_failed is 'Apps whose days could not be closed; census.app_night has the reasons.';
comment on column census.night_run.ledgers_recounted is 'Apps whose ledger was recounted from the spans.';

comment on table census.observation is 'Device, append-only. Every accepted event, with one partition per day. Device, id and time as sent identify an event.';
comment on column census.observation.device_id is 'Keyed hash of the app and the device id; raw ids are not stored.';
comment on column census.observation.occurred_at is 'Time of the event on the device''s clock: part of its identity, never used to order events.';
comment on column census.observation.corrected_at is 'Time of the event on the server''s clock.';
comment on column census.observation.source is 'Where the event comes from: app, extension, or what the sender calls it.';
comment on column census.observation.os_build is 'As sent, such as 18C66: distinguishes a beta from its release.';
comment on column census.observation.channel is 'Events of any channel but production are stored and never counted.';
comment on column census.observation.booted_at is 'When the device last started, on the server''s clock; null if not sent.';
comment on column census.observation.first_launched_at is 'First launch of the app in this installation, on the server''s clock; null if not sent.';
comment on column census.observation.gallery_policy is 'Version of the gallery policy that the app had applied.';
comment on column census.observation.content is 'Contents of the event in one canonical spelling: equal contents have equal text.';
comment on column census.observation.rebooted is 'Whether the device had restarted since the app''s first launch in this installation; null if not sent.';

comment on table census.observation_other is 'Observations whose time as sent is outside all partitions created so far.';

comment on table census.outcome_day is 'Local aggregate. Suspects whose outcome became known on each closed day, by what had first listed them.';
comment on column census.outcome_day.day is 'Day in the app''s time zone.';
comment on column census.outcome_day.platform is 'Platform that first listed them.';
comment on column census.outcome_day.os_version is 'OS version that first listed them, major and minor; empty if unknown.';
comment on column census.outcome_day.suspects_settled is 'Suspects whose outcome became known.';
comment on column census.outcome_day.suspects_still_there is 'Of these, suspects that were still there.';
comment on column census.outcome_day.suspect_seconds is 'Total time for which they had been suspect.';

comment on table census.outcome_entry is 'Local queue. Net changes of outcome_day that no night has processed; each changes only this day.';
comment on column census.outcome_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.outcome_entry.day is 'Day in the app''s time zone.';
comment on column census.outcome_entry.platform is 'Platform that first listed them.';
comment on column census.outcome_entry.os_version is 'OS version that first listed them, major and minor; empty if unknown.';
comment on column census.outcome_entry.suspects_settled is 'Suspects whose outcome became known.';
comment on column census.outcome_entry.suspects_still_there is 'Of these, suspects that were still there.';
comment on column census.outcome_entry.suspect_seconds is 'Total time for which they had been suspect.';

comment on table census.overlap_day is 'Local aggregate. Devices that certainly had two kinds when each closed day ended, one of them ever marked legacy.';
comment on column census.overlap_day.day is 'Day in the app''s time zone.';
comment on column census.overlap_day.kind is 'The kind of the two that sorts first by bytes.';
comment on column census.overlap_day.other_kind is 'The other kind.';

comment on table census.overlap_entry is 'Local queue. Net changes of overlap_day that no night has processed; each changes this day and all later ones.';
comment on column census.overlap_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.overlap_entry.day is 'Day in the app''s time zone.';
comment on column census.overlap_entry.kind is 'The kind of the two that sorts first by bytes.';
comment on column census.overlap_entry.other_kind is 'The other kind.';

comment on table census.pair_entry is 'Local queue. Pairs of successive successful reports that no night has processed, by the day of the second one.';
comment on column census.pair_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.pair_entry.to_version is 'App version at the second report; the same if there was no update.';
comment on column census.pair_entry.is_other_os is 'Whether the OS was updated between the reports.';
comment on column census.pair_entry.lost is 'Of these, pairs whose second report no longer lists the kind.';
comment on column census.pair_entry.exposed_seconds is 'Total time between the reports; each gap counts as at least an hour.';
comment on column census.pair_entry.gap is 'Length of the time between the reports: short (up to two days), long (up to 14) or late.';
comment on column census.pair_entry.os_release is 'OS version at the second report; null: the app was not updated, or unknown.';
comment on column census.pair_entry.gained is 'Kinds that the second report lists and of which there was nothing before; only for updates that lost the kind.';

comment on table census.pair_night is 'Local aggregate, append-only. Pairs as nights processed them, from which the evidence for losses is computed. Never restated.';
comment on column census.pair_night.taken_at is 'The night that processed them.';
comment on column census.pair_night.is_other_os is 'Whether the OS was updated between the reports.';
comment on column census.pair_night.lost is 'Of these, pairs whose second report no longer lists the kind.';
comment on column census.pair_night.exposed_seconds is 'Total time between the reports; each gap counts as at least an hour.';
comment on column census.pair_night.gap is 'Length of the time between the reports: short (up to two days, and all pairs from before schema version 21), long (up to 14) or late, which is no evidence.';

comment on table census.partitions_lock is 'Local, empty. Locked while a statement needs the partitions unchanged (row share), and while one is created or dropped (exclusive).';

comment on table census.pending_device is 'Device, queue. Devices with observations that the reconciler has not seen. Written in the transaction of the observations, so that one that commits late is never skipped.';
comment on column census.pending_device.device_id is 'The device; it can be queued several times.';
comment on column census.pending_device.pending_number is 'Identifies the entry; has no order.';
comment on column census.pending_device.earliest_at is 'Earliest corrected time of the observations that queued the device; null: fold it from the start.';
comment on column census.pending_device.occurred_from is 'Their earliest time as sent: older partitions need not be read.';

comment on table census.phase is 'Device. A time in which a device was heard from and ran one version of the app on one version of the OS.';
comment on column census.phase.from_at is 'Start.';
comment on column census.phase.to_at is 'End, excluded; null: it lasts until device.silent_at.';
comment on column census.phase.os_version is 'OS version, major and minor; null if not sent.';
comment on column census.phase.gallery_policy is 'Version of the gallery policy that the app last reported as applied; null: none.';
comment on column census.phase.is_reporting is 'Whether a report had succeeded within the activity window; in the last phase only until device.reporting_until.';
comment on column census.phase.is_cloned is 'An installation that had ended had kept sending.';

comment on table census.read_day is 'Local. Empty and no longer used; replaced by read_quarter.';
comment on column census.read_day.day is 'Day in the app''s time zone.';
comment on column census.read_day.reads is 'Reads of the widget list, successful or not.';
comment on column census.read_day.reads_failed is 'Of these, reads that failed.';

comment on table census.read_entry is 'Local queue. Reads, written in the transaction that stored them, by quarter of an hour, because days begin at one in every zone.';
comment on column census.read_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.read_entry.reads is 'Reads of the widget list, successful or not.';
comment on column census.read_entry.reads_failed is 'Of these, reads that failed.';
comment on column census.read_entry.reads_failed_erased is 'Of those, reads that failed.';

comment on table census.read_quarter is 'Local aggregate. How often apps read the widget list, by quarter of an hour, because days begin at one in every zone.';
comment on column census.read_quarter.reads is 'Reads of the widget list, successful or not.';
comment on column census.read_quarter.reads_failed is 'Of these, reads that failed.';
comment on column census.read_quarter.reads_failed_erased is 'Of those, reads that failed.';
comment on column census.read_quarter.is_of_day is 'Whether the row has a whole day, at its noon, because it was counted before quarters were stored.';

comment on table census.readiness is 'Local aggregate. The verdict on each kind that was ever marked, by the last day that had ended then; the newest verdict of a day is kept.';
comment on column census.readiness.lifecycle is 'legacy, retired or active, as decided at that time.';
comment on column census.readiness.devices_certain is 'At least this many active devices had it.';
comment on column census.readiness.devices_possible is 'At most this many active devices had it.';
comment on column census.readiness.devices_silent is 'Devices that went silent with it at most a year before.';
comment on column census.readiness.devices_with_replacement is 'Of the possible holders, devices that certainly have the replacement; null: none was named.';
comment on column census.readiness.limit_devices is 'Limit for devices_possible + devices_silent.';
comment on column census.readiness.half_life_days is 'Days until half of the holders are gone; null: cannot be estimated.';
comment on column census.readiness.half_life_low is 'Lower end of its 80% interval.';
comment on column census.readiness.half_life_high is 'Upper end of its 80% interval; null: open-ended.';
comment on column census.readiness.ready_on is 'Day on which it will be ready at this rate; null: never, or cannot be estimated.';
comment on column census.readiness.ready_on_earliest is 'Earliest day of the 80% interval.';
comment on column census.readiness.ready_on_latest is 'Latest day of the 80% interval; null: open-ended.';
comment on column census.readiness.forecast is 'The forecast in words: the date, that it is never ready at this rate, or why there is no forecast.';
comment on column census.readiness.reason is 'The failing conditions, or the figures that make it ready, in sentences.';

comment on table census.refused is 'Device. Events that the server refused, with the reason; a redelivery on the same day is not stored again.';
comment on column census.refused.message is 'Message that the sender got.';
comment on column census.refused.event_id is 'The event''s id, if it could be read.';
comment on column census.refused.event is 'The event''s bytes as sent, at most 64 KiB.';

comment on column census.retention.kept_from is 'First day, in UTC, of which every observation is kept; null: none was dropped yet.';
comment on column census.retention.apps_with_expired_hashes is 'Apps that forgot a device whose hash is deleted by now. For devices without a base they accept nothing from before kept_from, because it might be that device.';

comment on table census.set_aside is 'Device. Devices whose history could not be reconciled. They keep their numbers, and the observations that they need are kept. The next observation triggers a retry, except for implausible ones.';
comment on column census.set_aside.reason is 'Why it could not be reconciled.';
comment on column census.set_aside.is_implausible is 'It claims more than a phone can. It is not retried, and its observations are kept no longer than others.';

comment on column census.setting_act.acted_at is 'When they were changed.';
comment on column census.setting_act.actor is 'Who changed them.';
comment on column census.setting_act.reason is 'Why, in the words of the person; null: no reason given.';

comment on table census.settings_lock is 'Local, empty. Locked while devices are folded (row share), and while settings that affect folding change (exclusive).';

comment on table census.span is 'Device. A time in which a device had the same number of equal placements.';
comment on column census.span.ordinal is 'Identifies the span among those of its device; has no order.';
comment on column census.span.family is 'systemSmall and so on; null if the app does not send it.';
comment on column census.span.from_at is 'Start.';
comment on column census.span.to_at is 'End, excluded; null: it still lasts.';
comment on column census.span.certain is 'Placements that are proved.';
comment on column census.span.suspect is 'Placements that the OS lists and that might be stale.';
comment on column census.span.reported is 'Placements that the last successful report listed.';
comment on column census.span.still_there is 'Of the suspects, how many proved to have been there; null: unknown yet.';
comment on column census.span.claim_platform is 'Platform that first listed the suspects.';
comment on column census.span.claim_os_version is 'OS version that first listed the suspects.';
comment on column census.span.began_cause is 'Why it began; the values are those of report.changes.';
comment on column census.span.began_rule is 'Rule of docs/why/reconciliation.md that began it.';
comment on column census.span.ended_rule is 'Rule that ended it.';
comment on column census.span.presumed is 'Placements that are neither proved nor doubted: possible, and expected to be real.';
comment on column census.span.either is 'Placements that an event might have removed, because it did not say which it meant: possible here, and not counted for the kind.';
comment on column census.span.settled is 'Of the suspects, how many reached their outcome at the end of this span although it ended for another reason than a boot or use.';
comment on column census.span.returned is 'Of the certain placements that began with it, how many returned from silence; the others began as began_cause says.';

comment on column census.use_day.day is 'Day in the app''s time zone.';
comment on column census.use_day.events is 'Events, each counted once no matter how often it was delivered.';

comment on table census.use_entry is 'Local queue. Net changes of use_day that no night has processed; each changes only this day.';
comment on column census.use_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.use_entry.day is 'Day in the app''s time zone.';
comment on column census.use_entry.events is 'Events, each counted once no matter how often it was delivered.';

comment on table census.version_day is 'Local aggregate. Devices that had a kind at the end of each closed day, by versions and platform: distinct devices over all families.';
comment on column census.version_day.day is 'Day in the app''s time zone.';
comment on column census.version_day.app_version is 'App version on the device when the day ended.';
comment on column census.version_day.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.version_day.devices_certain is 'At least this many devices had it.';
comment on column census.version_day.devices_possible is 'At most this many devices had it.';
comment on column census.version_day.widgets_certain is 'Certain placements.';
comment on column census.version_day.widgets_possible is 'Certain or possible placements.';

comment on table census.version_entry is 'Local queue. Net changes of version_day that no night has processed; each changes this day and all later ones.';
comment on column census.version_entry.entry_number is 'Identifies the entry; has no order.';
comment on column census.version_entry.day is 'Day in the app''s time zone.';
comment on column census.version_entry.app_version is 'App version on the device when the day ended.';
comment on column census.version_entry.os_version is 'OS version, major and minor; empty if not sent.';
comment on column census.version_entry.devices_certain is 'Net change of devices_certain.';
comment on column census.version_entry.devices_possible is 'Net change of devices_possible.';
comment on column census.version_entry.widgets_certain is 'Certain placements.';
comment on column census.version_entry.widgets_possible is 'Certain or possible placements.';

comment on table census.warned is 'Device. The newest warning of each day, by device and code.';
comment on column census.warned.code is 'Warning code that the sender got.';
comment on column census.warned.occurred_at is 'When the newest event of its batch happened, by the device''s clock.';
comment on column census.warned.received_at is 'When the batch arrived.';
comment on column census.warned.app_version is 'App version that sent the batch.';
comment on column census.warned.pointer is 'RFC 6901: the place in the batch.';
comment on column census.warned.message is 'Message that the sender got.';

comment on table census.webhook is 'Local. The receivers of messages about mass losses. When a webhook is removed, its row stays without address and secret.';
comment on column census.webhook.webhook_number is 'Names it on the command line; has no order.';
comment on column census.webhook.url is 'Address that messages are posted to; can contain a secret of the receiver''s. Null: removed.';
comment on column census.webhook.secret is 'Key that signs its messages. Null: removed.';
comment on column census.webhook.allows_private is 'Whether its address can be in a private network.';
comment on column census.webhook.delivered_at is 'When it last accepted a message; null: never.';
comment on column census.webhook.last_status is 'Status of its last response; null: the last attempt got none.';
comment on column census.webhook.last_error is 'Why the last attempt failed, without address and message; null: it did not fail.';
comment on column census.webhook.gone_at is 'When it answered 410 Gone. It gets no more messages until a test succeeds; null: it did not.';
comment on column census.webhook.removed_at is 'When a person removed it; null: it was not removed.';

comment on table census.webhook_delivery is 'Local queue. A message to a webhook, kept until it is delivered or given up, and some weeks longer.';
comment on column census.webhook_delivery.message_id is 'The same at every attempt, and for all webhooks of the app, so that receivers recognize repetitions.';
comment on column census.webhook_delivery.next_attempt_at is 'When it is due. During an attempt: when other nodes assume that it failed. Null: it is finished.';
comment on column census.webhook_delivery.delivered_at is 'When the receiver accepted it; null: not yet.';
comment on column census.webhook_delivery.given_up_at is 'When it was given up; null: it was not.';
comment on column census.webhook_delivery.last_status is 'Status of the last response; null: there was none.';
comment on column census.webhook_delivery.last_error is 'Why the last attempt failed, without address and message; null: it did not fail.';

comment on table census_schema.version is 'Local. The applied migrations. Version 0 is the views, which are recreated when their text changes; version -1 is the states of devices.';
comment on column census_schema.version.digest is 'SHA-256 of its text; for -1 the newest format in which states were written, and the rules by which devices are folded.';
comment on column census_schema.version.applied_at is 'When it was applied.';
