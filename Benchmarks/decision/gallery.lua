-- For wrk: sends GET for a random device of the file DEVICES; each connection pauses for PAUSE milliseconds on average.
local pause = tonumber(os.getenv("PAUSE") or "0")
local devices = {}
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  math.randomseed(os.time() + number)
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
  local file = os.getenv("DEVICES") or ""
  if file ~= "" then
    for line in io.lines(file) do devices[#devices + 1] = line end
  end
end

function request()
  if #devices > 0 then wrk.headers["Census-Device"] = devices[math.random(#devices)] end
  return wrk.format("GET")
end

function delay()
  return math.random() * 2 * pause
end

function done(summary, latency)
  io.write(string.format("RESULT %.0f %d %.2f %.2f\n", summary.requests / (summary.duration / 1e6),
    summary.errors.status + summary.errors.timeout + summary.errors.read + summary.errors.connect,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
