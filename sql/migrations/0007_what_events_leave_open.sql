-- What events leave open, and what a span says of itself (docs/decisions/0001-spans.md).

alter table census.span
    add column either integer not null default 0,
    add column settled integer not null default 0,
    add column returned integer not null default 0,
    drop constraint span_holds_something,
    add constraint span_holds_something check (
        certain >= 0 and presumed >= 0 and suspect >= 0 and either >= 0 and reported >= 0
        and certain + presumed + suspect + either + reported > 0),
    add constraint span_says_what_it_holds check (settled between 0 and suspect and returned between 0 and certain);
comment on column census.span.either is 'Placements of which an event left open whether it meant them: possible here, and not counted for the kind.';
comment on column census.span.settled is 'Of the suspects, how many reached their outcome with this span though it ended for another reason than a boot or use.';
comment on column census.span.returned is 'Of the certain ones that came when it began, how many came back from silence; the others came as began_cause says.';
