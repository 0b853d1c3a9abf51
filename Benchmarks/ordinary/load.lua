-- For wrk: sends one report at a time, from a random phone of DEVICES known ones, mostly with the same list as before. Each connection
-- waits for PAUSE milliseconds on average before its next request. Without DEVICES it sends a GET.
local devices = tonumber(os.getenv("DEVICES") or "0")
local pause = tonumber(os.getenv("PAUSE") or "0")
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  math.randomseed(os.time() + number)
  run = string.format("%08x%04x", os.time(), math.random(0, 65535))
  count = 0
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
end

-- From the benchmark, so the phones' first reports and these are consistent.
local before, middle, after, news = os.getenv("BEFORE"), os.getenv("MIDDLE"), os.getenv("AFTER"), os.getenv("NEWS")

function request()
  if devices == 0 then return wrk.format("GET") end
  count = count + 1
  local device = math.random(0, devices - 1)
  local now = os.date("!%Y-%m-%dT%H:%M:%SZ")
  local body = string.format(before, now, device, device) .. string.format(middle, run .. number .. "-" .. count, now)
    .. (device % 20 == 0 and news or "") .. after
  return wrk.format("POST", nil, {["Content-Type"] = "application/json", ["Authorization"] = wrk.headers["Authorization"]}, body)
end

if pause > 0 then
  function delay() return math.random() * 2 * pause end
end

function done(summary, latency)
  io.write(string.format("RESULT %.0f %d %d %.1f %.1f\n", summary.requests / (summary.duration / 1e6),
    summary.requests, summary.errors.status + summary.errors.timeout + summary.errors.read + summary.errors.connect,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
