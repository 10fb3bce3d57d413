import { choice, integer, integerOrAuto, optionalText, optionalUrl, text } from '../setting.ts';

const databaseUrl = {
  pattern: /^postgres(ql)?:\/\/(?!.*[?&]target_session_attrs=(?!(any|read-write|primary)(&|$))).+/,
  message: 'must start with postgres:// or postgresql://; its target_session_attrs may be any, read-write, or primary',
};

/** Addresses, connections, and lifetime of the processes; metrics, traces, and the log. */
export const processSettings = {
  PORT: integer(5678, { min: 0, max: 65_535 }, 'TCP port of the API; 0 selects a free port.'),
  HOST: text(
    '127.0.0.1',
    { pattern: /^[\w.:-]+$/, message: 'must be an address or a host name' },
    'Address on which the API and the health port of a worker listen.',
  ),
  PUBLIC_URL: optionalUrl(
    {
      pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
      message: 'must be an address such as https://sluice.example.com, without a query',
    },
    'Address at which browsers and other services reach the API. Callbacks (`/oauth2/callback`) and resume URLs (`$execution.resumeUrl`) start with it, so workers need it too. Default: HOST and PORT.',
  ),
  SLUICE_HOME: text(
    './.sluice',
    { pattern: /./, message: 'must be a directory' },
    'Directory of `sluice up` for the data of its embedded Postgres and Redis, and for logs.',
  ),
  DATABASE_URL: optionalText(
    databaseUrl,
    'PostgreSQL 15 or newer: `postgres://user:password@host:5432/db`, optionally with several hosts separated by commas, with `sslmode=verify-full` and `sslrootcert`, and with `pgbouncer=true` for a pooler in transaction mode. If not set, `sluice up` starts an embedded Postgres.',
  ),
  DATABASE_POOL_SIZE: integer(10, { min: 1, max: 1000 }, 'Maximum number of pooled Postgres connections per process.'),
  DATABASE_READ_URL: optionalText(
    { pattern: /^postgres(ql)?:\/\/.+/, message: 'must start with postgres:// or postgresql://' },
    'Streaming replica of that database, from which the API reads statistics, and lists and counts of executions and workflows. If it names several hosts, the first host that responds is used. Default: no replica.',
  ),
  DATABASE_READ_LAG_MS: integer(
    5_000,
    { min: 100, max: 3_600_000 },
    "Age of the replica's data, in milliseconds, above which lists are read from DATABASE_URL.",
  ),
  REDIS_URL: optionalText(
    {
      pattern: /^(rediss?(\+(sentinel|cluster))?:\/\/|unix:\/\/\/).+/,
      message: 'must start with redis://, rediss:// (TLS), redis+sentinel://, redis+cluster://, or unix:///',
    },
    'Redis 6.2 or newer, or Valkey: `redis://`, `rediss://` with TLS, `redis+sentinel://host:26379,host:26379/master`, `redis+cluster://host:6379,host:6379`, or `unix:///path`. If not set, `sluice up` starts an embedded Redis.',
  ),
  QUEUE_PREFIX: text(
    'sluice',
    { pattern: /^[\w-]{1,64}$/, message: 'must be 1 to 64 letters, digits, _ or -' },
    'Prefix of all Redis keys; separates installations that share one Redis.',
  ),
  QUEUE_SHARDS: integer(
    1,
    { min: 1, max: 10 },
    'Number of queues over which executions are distributed by ID; in a Redis Cluster, each queue is on one node. Must be the same for all processes, and at most CONCURRENCY.',
  ),
  WORKERS: integer(1, { min: 0, max: 256 }, 'Number of worker processes that `sluice up` starts; 0 starts only the API.'),
  CONCURRENCY: integerOrAuto(
    { min: 1, max: 1000 },
    'Maximum number of executions that one worker runs at once; `auto`: between 10 and 300, depending on its event loop, memory, and database connections.',
  ),
  WORKER_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of a worker for /healthz, /readyz, and /metrics; 0 selects a free port. `sluice up` assigns it to the first worker, and the following ports to the others.',
  ),
  METRICS: choice(
    'on',
    ['on', 'off'],
    'Whether METRICS_PORT of the API and WORKER_PORT of a worker serve GET /metrics for Prometheus, without a key.',
  ),
  METRICS_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of the API for /metrics, separate from the public port; 0 selects a free port.',
  ),
  TRACES_URL: optionalUrl(
    { pattern: /^https?:\/\/[^\s?#@]+$/, message: 'must be an address such as http://collector:4318/v1/traces' },
    'Collector that receives traces of requests, executions, nodes, and outgoing requests: OTLP over HTTP, with the path. If not set, traces are off.',
  ),
  TRACES_PERCENT: integer(
    100,
    { min: 0, max: 100 },
    'Percentage of traces that are sampled. Requests with a `traceparent` header follow its sampling decision.',
  ),
  LEASE_MS: integer(
    15_000,
    { min: 1000, max: 600_000 },
    'Milliseconds without a lease renewal after which a worker counts as dead. Workers renew their lease three times as often.',
  ),
  STALL_MS: integer(
    60_000,
    { min: 1000, max: 3_600_000 },
    'Milliseconds for which the event loop may be unresponsive; then the process is killed, so that it is restarted. Until then, a worker keeps its lease.',
  ),
  POLLS_MAX: integer(
    20,
    { min: 0, max: 1_000 },
    'Maximum number of trigger polls that one worker runs at once. One project has half of them at most, if others have polls.',
  ),
  POLL_TIMEOUT_MS: integer(60_000, { min: 1_000, max: 3_600_000 }, 'Maximum duration of a trigger poll in milliseconds.'),
  LISTENERS_MAX: integer(
    200,
    { min: 0, max: 100_000 },
    'Maximum number of listeners (triggers that keep a connection open) per worker; 0 disables listeners on workers with this setting. One project has half of them at most, if others have listeners.',
  ),
  SHUTDOWN_GRACE_MS: integer(
    10_000,
    { min: 0, max: 3_600_000 },
    'Milliseconds that a stopping process waits for work in flight before it aborts that work.',
  ),
  LOG_LEVEL: choice(
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'Minimum level of logged messages.',
  ),
} as const;
