-- Deletes events refused before the day $1.
delete from census.refused
where refused_on < $1
