-- What each device of app $1 may still hold of each kind when the asked day ends although it is silent: what it
-- fell silent with, for a year.
silence as (
    select
        device_id,
        zone,
        due_at,
        to_at as from_at,
        lead(from_at) over (partition by device_id order by from_at) as next_at
    from census.counted_phase
    where app_number = $1
),
silent as (
    select distinct
        silence.device_id,
        span.surface,
        span.kind
    from silence
    cross join lateral (
        select
            (silence.from_at at time zone silence.zone)::date as first_day,
            (silence.from_at at time zone silence.zone)::date + 365 as expires_on
    ) as its_days
    join census.counted_span as span
        on span.device_id = silence.device_id
        and span.to_at = silence.from_at
        and span.ended_cause = 'silent'
        and span.certain + span.presumed + span.suspect > 0
    where its_days.first_day <= $2::date
        and case when silence.next_at is null then true
            else silence.next_at > silence.from_at
                and (silence.next_at at time zone silence.zone)::date > $2::date end
        and (
            its_days.expires_on > $2::date
            -- It is not due yet, as far as the ledger was told.
            or (
                silence.next_at is null
                and silence.due_at <= its_days.expires_on::timestamp at time zone silence.zone
            )
        )
)
