-- What each device of app $1 may still hold of each kind although it is silent: what it fell silent with, for a year.
-- From the first to the last of the asked days on which it does.
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
        its_days.first,
        its_days.last,
        span.surface,
        span.kind
    from silence
    cross join lateral (
        select (silence.from_at at time zone silence.zone)::date + 365 as expires_on
    ) as its_end
    cross join lateral (
        select
            width_bucket(its_end.expires_on - 366, $2::date[]) + 1 as first,
            least(
                width_bucket((silence.next_at at time zone silence.zone)::date - 1, $2::date[]),
                -- It is not due yet, as far as the ledger was told.
                case when silence.next_at is null
                        and silence.due_at <= its_end.expires_on::timestamp at time zone silence.zone
                    then cardinality($2::date[])
                    else width_bucket(its_end.expires_on - 1, $2::date[]) end
            ) as last
    ) as its_days
    join census.counted_span as span
        on span.device_id = silence.device_id
        and span.to_at = silence.from_at
        and span.ended_cause = 'silent'
        and span.certain + span.presumed + span.suspect > 0
    where its_days.first <= its_days.last
        and case when silence.next_at is null then true else silence.next_at > silence.from_at end
)
