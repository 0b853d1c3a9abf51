-- Stores the figures $2, objects of census.readiness, with the acts $1 that were based on them.
update census.kind_act set
    figures = judged.figures::json
from unnest($1::bigint[], $2::text[]) as judged (act_number, figures)
where kind_act.act_number = judged.act_number
