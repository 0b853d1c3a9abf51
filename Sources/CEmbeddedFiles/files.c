// Made by scripts/index-files. Do not edit.
#include "CEmbeddedFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const struct embedded_file files[] = {
    {"docs/reference/contract.md", (const unsigned char[]){
#embed "../../docs/reference/contract.md" suffix(, 0)
    }},
    {"docs/reference/manifest.schema.json", (const unsigned char[]){
#embed "../../docs/reference/manifest.schema.json" suffix(, 0)
    }},
    {"docs/reference/openapi.yaml", (const unsigned char[]){
#embed "../../docs/reference/openapi.yaml" suffix(, 0)
    }},
    {"docs/reference/reports.md", (const unsigned char[]){
#embed "../../docs/reference/reports.md" suffix(, 0)
    }},
    {"sql/migrations/0001_census.sql", (const unsigned char[]){
#embed "../../sql/migrations/0001_census.sql" suffix(, 0)
    }},
    {"sql/migrations/0002_all_rules.sql", (const unsigned char[]){
#embed "../../sql/migrations/0002_all_rules.sql" suffix(, 0)
    }},
    {"sql/migrations/0003_ledger.sql", (const unsigned char[]){
#embed "../../sql/migrations/0003_ledger.sql" suffix(, 0)
    }},
    {"sql/migrations/0004_forgetting.sql", (const unsigned char[]){
#embed "../../sql/migrations/0004_forgetting.sql" suffix(, 0)
    }},
    {"sql/migrations/0005_stored_states.sql", (const unsigned char[]){
#embed "../../sql/migrations/0005_stored_states.sql" suffix(, 0)
    }},
    {"sql/migrations/0006_no_night_stops.sql", (const unsigned char[]){
#embed "../../sql/migrations/0006_no_night_stops.sql" suffix(, 0)
    }},
    {"sql/migrations/0007_what_events_leave_open.sql", (const unsigned char[]){
#embed "../../sql/migrations/0007_what_events_leave_open.sql" suffix(, 0)
    }},
    {"sql/migrations/0008_implausible_devices.sql", (const unsigned char[]){
#embed "../../sql/migrations/0008_implausible_devices.sql" suffix(, 0)
    }},
    {"sql/migrations/0009_manifests.sql", (const unsigned char[]){
#embed "../../sql/migrations/0009_manifests.sql" suffix(, 0)
    }},
    {"sql/migrations/0010_decision.sql", (const unsigned char[]){
#embed "../../sql/migrations/0010_decision.sql" suffix(, 0)
    }},
    {"sql/migrations/0011_losses.sql", (const unsigned char[]){
#embed "../../sql/migrations/0011_losses.sql" suffix(, 0)
    }},
    {"sql/migrations/0012_webhooks.sql", (const unsigned char[]){
#embed "../../sql/migrations/0012_webhooks.sql" suffix(, 0)
    }},
    {"sql/migrations/0013_setting_acts.sql", (const unsigned char[]){
#embed "../../sql/migrations/0013_setting_acts.sql" suffix(, 0)
    }},
    {"sql/migrations/0014_activity.sql", (const unsigned char[]){
#embed "../../sql/migrations/0014_activity.sql" suffix(, 0)
    }},
    {"sql/migrations/0015_rebooted.sql", (const unsigned char[]){
#embed "../../sql/migrations/0015_rebooted.sql" suffix(, 0)
    }},
    {"sql/migrations/0016_warnings.sql", (const unsigned char[]){
#embed "../../sql/migrations/0016_warnings.sql" suffix(, 0)
    }},
    {"sql/migrations/0017_heartbeats.sql", (const unsigned char[]){
#embed "../../sql/migrations/0017_heartbeats.sql" suffix(, 0)
    }},
    {"sql/migrations/0018_distribution.sql", (const unsigned char[]){
#embed "../../sql/migrations/0018_distribution.sql" suffix(, 0)
    }},
    {"sql/migrations/0019_expired_hashes.sql", (const unsigned char[]){
#embed "../../sql/migrations/0019_expired_hashes.sql" suffix(, 0)
    }},
    {"sql/migrations/0020_lists.sql", (const unsigned char[]){
#embed "../../sql/migrations/0020_lists.sql" suffix(, 0)
    }},
    {"sql/migrations/0021_loss_strata.sql", (const unsigned char[]){
#embed "../../sql/migrations/0021_loss_strata.sql" suffix(, 0)
    }},
    {"sql/migrations/0022_keys_by_bytes.sql", (const unsigned char[]){
#embed "../../sql/migrations/0022_keys_by_bytes.sql" suffix(, 0)
    }},
    {"sql/migrations/0023_locks.sql", (const unsigned char[]){
#embed "../../sql/migrations/0023_locks.sql" suffix(, 0)
    }},
    {"sql/migrations/0024_counted_views.sql", (const unsigned char[]){
#embed "../../sql/migrations/0024_counted_views.sql" suffix(, 0)
    }},
    {"sql/migrations/0025_comments.sql", (const unsigned char[]){
#embed "../../sql/migrations/0025_comments.sql" suffix(, 0)
    }},
    {"sql/migrations/0026_webhook_forms.sql", (const unsigned char[]){
#embed "../../sql/migrations/0026_webhook_forms.sql" suffix(, 0)
    }},
    {"sql/migrations/0027_levels.sql", (const unsigned char[]){
#embed "../../sql/migrations/0027_levels.sql" suffix(, 0)
    }},
    {"sql/migrations/0028_manage.sql", (const unsigned char[]){
#embed "../../sql/migrations/0028_manage.sql" suffix(, 0)
    }},
    {"sql/migrations/0029_stated_intents.sql", (const unsigned char[]){
#embed "../../sql/migrations/0029_stated_intents.sql" suffix(, 0)
    }},
    {"sql/migrations/0030_cohorts_of_devices.sql", (const unsigned char[]){
#embed "../../sql/migrations/0030_cohorts_of_devices.sql" suffix(, 0)
    }},
    {"sql/migrations/0031_event_counts.sql", (const unsigned char[]){
#embed "../../sql/migrations/0031_event_counts.sql" suffix(, 0)
    }},
    {"sql/migrations/0032_queued_through.sql", (const unsigned char[]){
#embed "../../sql/migrations/0032_queued_through.sql" suffix(, 0)
    }},
    {"sql/migrations/0033_queued_at.sql", (const unsigned char[]){
#embed "../../sql/migrations/0033_queued_at.sql" suffix(, 0)
    }},
    {"sql/reports/active/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/active/checks.sql" suffix(, 0)
    }},
    {"sql/reports/active/view.sql", (const unsigned char[]){
#embed "../../sql/reports/active/view.sql" suffix(, 0)
    }},
    {"sql/reports/acts/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/acts/checks.sql" suffix(, 0)
    }},
    {"sql/reports/acts/view.sql", (const unsigned char[]){
#embed "../../sql/reports/acts/view.sql" suffix(, 0)
    }},
    {"sql/reports/adoption/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/adoption/checks.sql" suffix(, 0)
    }},
    {"sql/reports/adoption/view.sql", (const unsigned char[]){
#embed "../../sql/reports/adoption/view.sql" suffix(, 0)
    }},
    {"sql/reports/adoption_by_platform/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/adoption_by_platform/checks.sql" suffix(, 0)
    }},
    {"sql/reports/adoption_by_platform/view.sql", (const unsigned char[]){
#embed "../../sql/reports/adoption_by_platform/view.sql" suffix(, 0)
    }},
    {"sql/reports/changes/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/changes/checks.sql" suffix(, 0)
    }},
    {"sql/reports/changes/view.sql", (const unsigned char[]){
#embed "../../sql/reports/changes/view.sql" suffix(, 0)
    }},
    {"sql/reports/changes_by_version/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/changes_by_version/checks.sql" suffix(, 0)
    }},
    {"sql/reports/changes_by_version/view.sql", (const unsigned char[]){
#embed "../../sql/reports/changes_by_version/view.sql" suffix(, 0)
    }},
    {"sql/reports/coverage/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/coverage/checks.sql" suffix(, 0)
    }},
    {"sql/reports/coverage/view.sql", (const unsigned char[]){
#embed "../../sql/reports/coverage/view.sql" suffix(, 0)
    }},
    {"sql/reports/engagement/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/engagement/checks.sql" suffix(, 0)
    }},
    {"sql/reports/engagement/view.sql", (const unsigned char[]){
#embed "../../sql/reports/engagement/view.sql" suffix(, 0)
    }},
    {"sql/reports/ghosts/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/ghosts/checks.sql" suffix(, 0)
    }},
    {"sql/reports/ghosts/view.sql", (const unsigned char[]){
#embed "../../sql/reports/ghosts/view.sql" suffix(, 0)
    }},
    {"sql/reports/intents/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/intents/checks.sql" suffix(, 0)
    }},
    {"sql/reports/intents/view.sql", (const unsigned char[]){
#embed "../../sql/reports/intents/view.sql" suffix(, 0)
    }},
    {"sql/reports/lifetimes/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/lifetimes/checks.sql" suffix(, 0)
    }},
    {"sql/reports/lifetimes/view.sql", (const unsigned char[]){
#embed "../../sql/reports/lifetimes/view.sql" suffix(, 0)
    }},
    {"sql/reports/live_installs/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/live_installs/checks.sql" suffix(, 0)
    }},
    {"sql/reports/live_installs/view.sql", (const unsigned char[]){
#embed "../../sql/reports/live_installs/view.sql" suffix(, 0)
    }},
    {"sql/reports/live_kinds/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/live_kinds/checks.sql" suffix(, 0)
    }},
    {"sql/reports/live_kinds/view.sql", (const unsigned char[]){
#embed "../../sql/reports/live_kinds/view.sql" suffix(, 0)
    }},
    {"sql/reports/live_now/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/live_now/checks.sql" suffix(, 0)
    }},
    {"sql/reports/live_now/view.sql", (const unsigned char[]){
#embed "../../sql/reports/live_now/view.sql" suffix(, 0)
    }},
    {"sql/reports/mass_losses/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/mass_losses/checks.sql" suffix(, 0)
    }},
    {"sql/reports/mass_losses/view.sql", (const unsigned char[]){
#embed "../../sql/reports/mass_losses/view.sql" suffix(, 0)
    }},
    {"sql/reports/os_quirks/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/os_quirks/checks.sql" suffix(, 0)
    }},
    {"sql/reports/os_quirks/view.sql", (const unsigned char[]){
#embed "../../sql/reports/os_quirks/view.sql" suffix(, 0)
    }},
    {"sql/reports/overlap/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/overlap/checks.sql" suffix(, 0)
    }},
    {"sql/reports/overlap/view.sql", (const unsigned char[]){
#embed "../../sql/reports/overlap/view.sql" suffix(, 0)
    }},
    {"sql/reports/pairs/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/pairs/checks.sql" suffix(, 0)
    }},
    {"sql/reports/pairs/view.sql", (const unsigned char[]){
#embed "../../sql/reports/pairs/view.sql" suffix(, 0)
    }},
    {"sql/reports/refused/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/refused/checks.sql" suffix(, 0)
    }},
    {"sql/reports/refused/view.sql", (const unsigned char[]){
#embed "../../sql/reports/refused/view.sql" suffix(, 0)
    }},
    {"sql/reports/retention/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/retention/checks.sql" suffix(, 0)
    }},
    {"sql/reports/retention/view.sql", (const unsigned char[]){
#embed "../../sql/reports/retention/view.sql" suffix(, 0)
    }},
    {"sql/reports/retirement/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/retirement/checks.sql" suffix(, 0)
    }},
    {"sql/reports/retirement/view.sql", (const unsigned char[]){
#embed "../../sql/reports/retirement/view.sql" suffix(, 0)
    }},
    {"sql/reports/time_to_first_widget/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/time_to_first_widget/checks.sql" suffix(, 0)
    }},
    {"sql/reports/time_to_first_widget/view.sql", (const unsigned char[]){
#embed "../../sql/reports/time_to_first_widget/view.sql" suffix(, 0)
    }},
    {"sql/reports/usage/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/usage/checks.sql" suffix(, 0)
    }},
    {"sql/reports/usage/view.sql", (const unsigned char[]){
#embed "../../sql/reports/usage/view.sql" suffix(, 0)
    }},
    {"sql/reports/warned/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/warned/checks.sql" suffix(, 0)
    }},
    {"sql/reports/warned/view.sql", (const unsigned char[]){
#embed "../../sql/reports/warned/view.sql" suffix(, 0)
    }},
    {"sql/reports/widgets_per_device/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/widgets_per_device/checks.sql" suffix(, 0)
    }},
    {"sql/reports/widgets_per_device/view.sql", (const unsigned char[]){
#embed "../../sql/reports/widgets_per_device/view.sql" suffix(, 0)
    }},
    {"sql/reports/zombies/checks.sql", (const unsigned char[]){
#embed "../../sql/reports/zombies/checks.sql" suffix(, 0)
    }},
    {"sql/reports/zombies/view.sql", (const unsigned char[]){
#embed "../../sql/reports/zombies/view.sql" suffix(, 0)
    }},
    {"sql/statements/AcknowledgementRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/AcknowledgementRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/AnalystRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/AnalystRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/AppRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/AppRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/ArrivalReader.sql", (const unsigned char[]){
#embed "../../sql/statements/ArrivalReader.sql" suffix(, 0)
    }},
    {"sql/statements/ConsoleReader.sql", (const unsigned char[]){
#embed "../../sql/statements/ConsoleReader.sql" suffix(, 0)
    }},
    {"sql/statements/DayLedger.sql", (const unsigned char[]){
#embed "../../sql/statements/DayLedger.sql" suffix(, 0)
    }},
    {"sql/statements/DecisionStore.sql", (const unsigned char[]){
#embed "../../sql/statements/DecisionStore.sql" suffix(, 0)
    }},
    {"sql/statements/Deployment.sql", (const unsigned char[]){
#embed "../../sql/statements/Deployment.sql" suffix(, 0)
    }},
    {"sql/statements/DeviceStore.sql", (const unsigned char[]){
#embed "../../sql/statements/DeviceStore.sql" suffix(, 0)
    }},
    {"sql/statements/Distribution.sql", (const unsigned char[]){
#embed "../../sql/statements/Distribution.sql" suffix(, 0)
    }},
    {"sql/statements/Forgetting.sql", (const unsigned char[]){
#embed "../../sql/statements/Forgetting.sql" suffix(, 0)
    }},
    {"sql/statements/InstalledBase.sql", (const unsigned char[]){
#embed "../../sql/statements/InstalledBase.sql" suffix(, 0)
    }},
    {"sql/statements/KeyRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/KeyRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/KindRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/KindRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/LossStore.sql", (const unsigned char[]){
#embed "../../sql/statements/LossStore.sql" suffix(, 0)
    }},
    {"sql/statements/ManifestRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/ManifestRegistry.sql" suffix(, 0)
    }},
    {"sql/statements/Migrator.sql", (const unsigned char[]){
#embed "../../sql/statements/Migrator.sql" suffix(, 0)
    }},
    {"sql/statements/NameCatalogue.sql", (const unsigned char[]){
#embed "../../sql/statements/NameCatalogue.sql" suffix(, 0)
    }},
    {"sql/statements/NightRuns.sql", (const unsigned char[]){
#embed "../../sql/statements/NightRuns.sql" suffix(, 0)
    }},
    {"sql/statements/ObservationLog.sql", (const unsigned char[]){
#embed "../../sql/statements/ObservationLog.sql" suffix(, 0)
    }},
    {"sql/statements/PartitionKeeper.sql", (const unsigned char[]){
#embed "../../sql/statements/PartitionKeeper.sql" suffix(, 0)
    }},
    {"sql/statements/ReportReader.sql", (const unsigned char[]){
#embed "../../sql/statements/ReportReader.sql" suffix(, 0)
    }},
    {"sql/statements/StatusReader.sql", (const unsigned char[]){
#embed "../../sql/statements/StatusReader.sql" suffix(, 0)
    }},
    {"sql/statements/Upkeep.sql", (const unsigned char[]){
#embed "../../sql/statements/Upkeep.sql" suffix(, 0)
    }},
    {"sql/statements/WebhookRegistry.sql", (const unsigned char[]){
#embed "../../sql/statements/WebhookRegistry.sql" suffix(, 0)
    }},
    {"sql/views/counted_device.sql", (const unsigned char[]){
#embed "../../sql/views/counted_device.sql" suffix(, 0)
    }},
    {"sql/views/kind_pair.sql", (const unsigned char[]){
#embed "../../sql/views/kind_pair.sql" suffix(, 0)
    }},
    {"sql/views/kind_state.sql", (const unsigned char[]){
#embed "../../sql/views/kind_state.sql" suffix(, 0)
    }},
    {"sql/views/suspect_share.sql", (const unsigned char[]){
#embed "../../sql/views/suspect_share.sql" suffix(, 0)
    }},
    {"sql/views/unexplained_change.sql", (const unsigned char[]){
#embed "../../sql/views/unexplained_change.sql" suffix(, 0)
    }},
    {"sql/views/unknown_device.sql", (const unsigned char[]){
#embed "../../sql/views/unknown_device.sql" suffix(, 0)
    }},
    {"sql/views/waiting_device.sql", (const unsigned char[]){
#embed "../../sql/views/waiting_device.sql" suffix(, 0)
    }},
};

const struct embedded_file *embedded_files(size_t *count) {
    *count = sizeof files / sizeof *files;
    return files;
}
