-- Saves what the pairs say of kind $3 on surface $2 of app $1 and updates to version $4.
update census.loss_watch set
    upgraders = $5,
    lost = $6,
    excused = $7,
    exposed_seconds = $8,
    others = $9,
    others_lost = $10,
    others_seconds = $11,
    evidence = $12,
    z = $13,
    smallest_seen = $14,
    devices_at_risk = $15,
    state = $16,
    opened_on = $17,
    judged_on = $18,
    late = $19,
    unmatched = $20,
    unmatched_with_os = $21
where app_number = $1
    and surface = $2
    and kind = $3
    and to_version = $4
