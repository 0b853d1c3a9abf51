-- For wrk: build pipelines that ask for a verdict, each every two seconds on average. Needs RELEASE_KEY, of the role release.
function init(args)
  math.randomseed(os.time())
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. os.getenv("RELEASE_KEY")
  wrk.body = '{"app":{"id":"com.example.benchmark","version":"21.0"},"kinds":[{"kind":"com.example.weather.forecast",'
    .. '"families":["systemSmall"],"intent":"CityIntent"}]}'
end

function delay() return math.random() * 4000 end

function done(summary, latency)
  local bad = summary.errors.status + summary.errors.timeout + summary.errors.connect + summary.errors.read
  io.write(string.format("PREFLIGHT %.1f %.1f %.1f %d\n", summary.requests / summary.duration * 1e6,
    latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, bad))
end
