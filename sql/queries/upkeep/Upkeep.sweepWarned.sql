-- Deletes warnings of before the day $1.
delete from census.warned
where warned_on < $1
