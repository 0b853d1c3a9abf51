-- For wrk: sends POST with EVENTS reports in a batch, each device and event id once; with 0 a GET. With PHONES it draws the devices
-- from that many. With PAUSE each connection waits for that many milliseconds on average before its next request.
local events = tonumber(os.getenv("EVENTS") or "1")
local pause = tonumber(os.getenv("PAUSE") or "0")
local phones = tonumber(os.getenv("PHONES") or "0")
local app = "com.example.benchmark"
local threads = 0

function setup(thread)
  threads = threads + 1
  thread:set("number", threads)
end

function init(args)
  math.randomseed(os.time() + number)
  run = string.format("%08x%04x", os.time(), math.random(0, 65535))
  count = 0
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("KEY")
end

-- Constant parts, so the load generator takes as little CPU time as possible.
local types = {}
for event = 1, events do
  types[event] = "-" .. event .. '","type":"widgets_reported","at":"'
end
-- A millisecond apart: events of one instant have no order, of which the service warns.
local milliseconds = {}
for event = 1, events do
  milliseconds[event] = string.format(".%03dZ", event)
end
local widgets = '","widgets":['
  .. '{"kind":"com.example.weather.forecast","family":"systemSmall","intent":"CityIntent","configuration":"9f2c4a1e"},'
  .. '{"kind":"com.example.weather.radar","family":"systemMedium","count":2}]}'
local parts = {}

function request()
  if events == 0 then return wrk.format("GET") end
  count = count + 1
  local id = string.format("%s-%d-%d", run, number, count)
  local phone = phones > 0 and "phone-" .. math.random(phones) or id
  local now = os.date("!%Y-%m-%dT%H:%M:%S")
  parts[1] = '{"sent_at":"' .. now .. 'Z","app":{"id":"' .. app .. '","version":"20.12.1"},"device":{"id":"' .. phone
    .. '","platform":"ios","os_version":"26.1"},"installation":{"id":"' .. phone
    .. '","first_launched_at":"2026-11-02T18:03:10Z","rebooted":true},"events":['
  for event = 1, events do
    local last = 6 * event - 5
    parts[last + 1] = event == 1 and '{"id":"' or ',{"id":"'
    parts[last + 2] = id
    parts[last + 3] = types[event]
    parts[last + 4] = now
    parts[last + 5] = milliseconds[event]
    parts[last + 6] = widgets
  end
  parts[6 * events + 2] = "]}"
  return wrk.format(nil, nil, nil, table.concat(parts))
end

if pause > 0 then
  function delay()
    return math.random() * 2 * pause
  end
end

function done(summary, latency)
  io.write(string.format("RESULT %.0f %d %d %.1f %.1f\n", summary.requests / (summary.duration / 1e6),
    summary.requests, summary.errors.status + summary.errors.timeout + summary.errors.read + summary.errors.connect,
    latency:percentile(50) / 1000, latency:percentile(99) / 1000))
end
