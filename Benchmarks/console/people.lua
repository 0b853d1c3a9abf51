-- For wrk: each person opens a page and reads it for five seconds.
function delay() return 5000 end
