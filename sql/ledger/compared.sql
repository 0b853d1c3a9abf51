-- The cells of both, with their numbers written out.
compared as (
    select
        concat_ws(' ', {list named}) as cell,
        concat_ws(
            ' ',
            {each amounts: ledger.@}
        ) as ledger,
        concat_ws(
            ' ',
            {each amounts: counted.@}
        ) as counted
    from ledger
    full join counted
        using ({list named})
)
select
    cell,
    ledger,
    counted
from compared
where ledger <> counted
    -- A cell of zeros on one side may be missing on the other.
    and ledger || counted ~ '[1-9]'
limit 5
