import {
  choice,
  decimal,
  folderList,
  integer,
  integerOrAuto,
  list,
  networkList,
  numberTable,
  optionalList,
  optionalText,
  optionalUrl,
  priceTable,
  refusedList,
  secretList,
  text,
  timezone,
} from './setting.ts';

const mebibyte = 1024 * 1024;
const day = 86_400_000;

const databaseUrl = {
  pattern: /^postgres(ql)?:\/\/(?!.*[?&]target_session_attrs=(?!(any|read-write|primary)(&|$))).+/,
  message: 'must start with postgres:// or postgresql://; its target_session_attrs may be any, read-write or primary',
};

/** Every environment variable that Sluice reads, in the order of `.env.example`. */
export const settings = {
  PORT: integer(5678, { min: 0, max: 65_535 }, 'TCP port of the API; 0 selects any free one.'),
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
    'Address at which browsers reach the API; services send users back to it (`/oauth2/callback`), and resume URLs of waiting executions (`$execution.resumeUrl`) begin with it, so workers need it too. Absent: HOST and PORT.',
  ),
  SLUICE_HOME: text(
    './.sluice',
    { pattern: /./, message: 'must be a directory' },
    'Directory of `sluice up` for the data of its embedded Postgres and Redis, and for logs.',
  ),
  DATABASE_URL: optionalText(
    databaseUrl,
    'PostgreSQL 15 or newer: `postgres://user:password@host:5432/db`, with several hosts separated by commas, `sslmode=verify-full` and `sslrootcert`, and `pgbouncer=true` for a pooler in transaction mode. Absent: `sluice up` starts an embedded one.',
  ),
  DATABASE_POOL_SIZE: integer(10, { min: 1, max: 1000 }, 'Postgres connections of each process.'),
  DATABASE_READ_URL: optionalText(
    { pattern: /^postgres(ql)?:\/\/.+/, message: 'must start with postgres:// or postgresql://' },
    'A streaming replica of that database, from which the API reads statistics, and lists and counts of executions and workflows. If it names several hosts, the first that responds is used. Absent: no replica.',
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
    'Redis 6.2 or newer, or Valkey: `redis://`, `rediss://` with TLS, `redis+sentinel://host:26379,host:26379/master`, `redis+cluster://host:6379,host:6379`, or `unix:///path`. Absent: `sluice up` starts an embedded one.',
  ),
  QUEUE_PREFIX: text(
    'sluice',
    { pattern: /^[\w-]{1,64}$/, message: 'must be 1 to 64 letters, digits, _ or -' },
    'Prefix of every Redis key; separates installations that share one Redis.',
  ),
  QUEUE_SHARDS: integer(
    1,
    { min: 1, max: 10 },
    'Number of queues over which executions are spread by id; in a Redis Cluster, each queue is on one node. Must be the same for all processes, and at most CONCURRENCY.',
  ),
  WORKERS: integer(1, { min: 0, max: 256 }, 'Worker processes that `sluice up` starts; 0 starts the API alone.'),
  CONCURRENCY: integerOrAuto(
    { min: 1, max: 1000 },
    'Executions that one worker runs at once; `auto`: 10 to 300, as many as its event loop, memory, and database connections have room for.',
  ),
  WORKER_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of a worker for /healthz, /readyz, and /metrics; 0 selects any free one. `sluice up` assigns it to the first worker, and the following ports to the others.',
  ),
  METRICS: choice(
    'on',
    ['on', 'off'],
    'Whether METRICS_PORT of the API and WORKER_PORT of a worker serve GET /metrics for Prometheus, without a key.',
  ),
  METRICS_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of the API for /metrics, separate from the public one; 0 selects any free one.',
  ),
  TRACES_URL: optionalUrl(
    { pattern: /^https?:\/\/[^\s?#@]+$/, message: 'must be an address such as http://collector:4318/v1/traces' },
    'Collector that receives traces of requests, executions, nodes, and outgoing requests: OTLP over HTTP, with the path. Absent: traces are off.',
  ),
  TRACES_PERCENT: integer(
    100,
    { min: 0, max: 100 },
    'Share of the traces that start here and are kept. Requests with a `traceparent` follow its decision.',
  ),
  LEASE_MS: integer(
    15_000,
    { min: 1000, max: 600_000 },
    'Milliseconds without a lease renewal after which a worker counts as dead; it renews every third of it.',
  ),
  STALL_MS: integer(
    60_000,
    { min: 1000, max: 3_600_000 },
    'Milliseconds of an unresponsive event loop after which a process counts as stuck and is killed for a restart. Until then a worker keeps its lease.',
  ),
  POLLS_MAX: integer(20, { min: 0, max: 1_000 }, 'Polls of triggers that one worker runs at the same time.'),
  POLL_TIMEOUT_MS: integer(60_000, { min: 1_000, max: 3_600_000 }, 'Milliseconds that a poll of a trigger may take.'),
  LISTENERS_MAX: integer(
    200,
    { min: 0, max: 100_000 },
    'Maximum number of listeners (triggers that hold a connection) of one worker; 0 runs none.',
  ),
  SHUTDOWN_GRACE_MS: integer(
    10_000,
    { min: 0, max: 3_600_000 },
    'Milliseconds that a stopping process waits for work in flight before it aborts it.',
  ),
  BOOTSTRAP_API_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{20,512}$/, message: 'must be 20 to 512 visible ASCII characters' },
    'API key of the owner with every scope, created at each start unless it exists. Absent: the first one is generated and printed once.',
  ),
  ENCRYPTION_KEY: secretList(
    16,
    'Master keys that encrypt credentials, separated by commas: the first encrypts, all decrypt. Each is 32 bytes in base64 or hex, or a passphrase of 16 or more characters. Absent: `sluice up` creates one, in `master.key` in its home.',
  ),
  API_KEY_HEADER: text(
    'X-SERVICE-API-KEY',
    { pattern: /^[!#$%&'*+.^_`|~\w-]{1,128}$/, message: 'must be the name of an HTTP header' },
    'Request header that carries the API key.',
  ),
  LICENSE: choice(
    'enterprise',
    ['enterprise', 'community'],
    'Edition: `community` gives each key every scope, and refuses sharing and resolvable credentials.',
  ),
  TRUST_PROXY: integer(
    0,
    { min: 0, max: 32 },
    'Number of reverse proxies in front of the API whose X-Forwarded-For is trusted.',
  ),
  RUN_WAIT_MS: integer(
    10_000,
    { min: 0, max: 300_000 },
    'Milliseconds that POST /workflows/:id/run waits for the end of the run before it responds without the result.',
  ),
  WEBHOOK_WAIT_MS: integer(
    120_000,
    { min: 100, max: 3_600_000 },
    'Milliseconds that a webhook request waits for the response of its workflow; after that it gets 504, and the workflow continues.',
  ),
  EVENT_STREAMS_MAX: integer(
    1000,
    { min: 0, max: 100_000 },
    'Streams of GET /executions/:id/events and GET /events that one API process keeps open, and the same number for MCP clients with the SSE transport.',
  ),
  EVENT_STREAMS_KEY_MAX: integer(
    20,
    { min: 0, max: 100_000 },
    'Maximum number of these streams for one API key or MCP server. All keys of a user, and all servers of a project, get at most half of the free streams.',
  ),
  RATE_LIMIT_MAX: integer(
    1000,
    { min: 1, max: 1_000_000_000 },
    'Requests below /api/v1 and to /mcp that one client address (of IPv6, one /64) may make in a window; all API processes count together.',
  ),
  RATE_LIMIT_WINDOW_MS: integer(300_000, { min: 1000, max: day }, 'Length of that window, in milliseconds.'),
  RATE_LIMIT_KEY_MAX: integer(
    0,
    { min: 0, max: 1_000_000_000 },
    'Requests that one API key may make in a window, for each group of operations; 0: as in RATE_LIMIT_KEY_TABLE.',
  ),
  RATE_LIMIT_KEY_TABLE: numberTable(
    { read: 3, write: 1, run: 1, credentialTest: 0.1 },
    'Requests that one API key may make in a window, as multiples of RATE_LIMIT_MAX, by group: reading; changing; starting and retrying runs; testing credentials.',
  ),
  RATE_LIMIT_MISS_MAX: integer(
    1000,
    { min: 1, max: 1_000_000_000 },
    'Requests to webhooks, test URLs, and waiting executions per window and client address that may fail as not found or not authorized; more get 429.',
  ),
  RATE_LIMIT_ANONYMOUS_TABLE: numberTable(
    { address: 10, route: 100 },
    'Requests to webhooks, forms, and waiting executions in a window, as multiples of RATE_LIMIT_MAX: from one client address, and to one webhook or form (or waiting execution). More get 429.',
  ),
  QUEUED_MAX_PER_PROJECT: integer(
    100_000,
    { min: 1, max: 1_000_000_000 },
    'Executions of one project that may wait to start; beyond it, starts are refused until some have started. Starts within the same two seconds may exceed it.',
  ),
  STORAGE_MAX_BYTES_PER_PROJECT: integer(
    50 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Bytes of data and files that the executions of one project may store. Beyond it, webhook, form, and resume requests get 413, and nodes fail, until executions are deleted. Data stored within a few seconds may exceed it.',
  ),
  DATA_TABLES_MAX_PER_PROJECT: integer(100, { min: 1, max: 100_000 }, 'Maximum number of data tables in a project.'),
  DATA_TABLES_MAX_BYTES_PER_PROJECT: integer(
    1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the rows in the data tables of one project. Beyond it, rows can only be deleted or made smaller. Each write may exceed it while others run.',
  ),
  DATA_TABLE_MAX_COLUMNS: integer(100, { min: 1, max: 1_000 }, 'Maximum number of columns in a data table.'),
  DATA_TABLE_MAX_ROWS: integer(5_000_000, { min: 1, max: 1_000_000_000 }, 'Maximum number of rows in a data table.'),
  CHAT_SESSIONS_MAX_BYTES_PER_WORKFLOW: integer(
    64 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Bytes of conversations that the memory nodes of one workflow keep. Beyond it, the conversations unchanged for longest are deleted.',
  ),
  CHAT_SESSION_RETENTION_DAYS: integer(
    30,
    { min: 1, max: 36_500 },
    'Days after its last message for which memory nodes keep a conversation.',
  ),
  AUDIT_RETENTION_DAYS: integer(
    0,
    { min: 0, max: 36_500 },
    'Days for which lines of the audit log are kept; 0: no limit. Workers delete older ones, some thousand per minute.',
  ),
  EXECUTION_RETENTION_DAYS: numberTable(
    { success: 14, error: 14, canceled: 14, crashed: 14 },
    'Days after its end for which a finished execution is kept, by status, with its data and files; 0 keeps all executions of that status, also beyond EXECUTION_RETENTION_MAX. Annotated executions are always kept.',
    // Postgres cannot represent a time two million days ago.
    { zero: true, max: 1_000_000 },
  ),
  EXECUTION_RETENTION_MAX: integer(
    50_000,
    { min: 0, max: 1_000_000_000 },
    'Newest executions of each project that are kept; older ones are deleted once they have finished, unless they are annotated. 0: no limit.',
  ),
  BODY_LIMIT_BYTES: integer(16 * mebibyte, { min: 1024, max: 512 * mebibyte }, 'Maximum size of a request body.'),
  JSON_MAX_DEPTH: integer(100, { min: 10, max: 1000 }, 'Maximum nesting depth of a JSON request body.'),
  WORKFLOW_MAX_NODES: integer(5000, { min: 1, max: 100_000 }, 'Maximum number of nodes of one workflow.'),
  NODE_RUN_MAX_BYTES: integer(
    16 * mebibyte,
    { min: 1024, max: 512 * mebibyte },
    'Maximum output size of one node run, as JSON.',
  ),
  EXECUTION_MAX_BYTES: integer(
    128 * mebibyte,
    { min: 1024, max: 4096 * mebibyte },
    'Maximum size of the run data of one execution, as JSON.',
  ),
  BINARY_STORE: choice(
    'disk',
    ['disk', 's3'],
    'Storage of files: `disk`, a folder that all processes share, or `s3`, a bucket of S3 or a compatible service.',
  ),
  BINARY_DIR: optionalText(
    { pattern: /./, message: 'must be a directory' },
    'Folder of `disk`. Absent: `files` in SLUICE_HOME.',
  ),
  BINARY_S3_BUCKET: optionalText(
    { pattern: /^[\w.-]{1,255}$/, message: 'must be the name of a bucket' },
    'Bucket of `s3`; files are its objects `binary-data/…`.',
  ),
  BINARY_S3_REGION: text(
    'us-east-1',
    { pattern: /^[\w-]{1,64}$/, message: 'must be the name of a region' },
    'Region of the bucket.',
  ),
  BINARY_S3_ENDPOINT: optionalUrl(
    { pattern: /^https?:\/\/[^\s/?#@]+\/?$/, message: 'must be an address such as https://minio.example.com:9000' },
    'Address of a service other than AWS, such as MinIO; buckets are addressed by path.',
  ),
  BINARY_S3_ACCESS_KEY_ID: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Access key for the bucket. Absent: the AWS credentials of the machine (role, environment, profile).',
  ),
  BINARY_S3_SECRET_ACCESS_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Secret of that key.',
  ),
  BINARY_MAX_BYTES: integer(256 * mebibyte, { min: 1024, max: 64 * 1024 * mebibyte }, 'Maximum size of one file.'),
  BINARY_EXECUTION_MAX_BYTES: integer(
    1024 * mebibyte,
    { min: 1024, max: 1024 * 1024 * mebibyte },
    'Maximum total size of the files of one execution; each counts as at least 4096 bytes.',
  ),
  FILES_DIR: folderList(
    'Folders of the worker that file nodes may read and write, separated by commas; never those of Sluice itself. Absent: none.',
  ),
  EXECUTE_COMMAND_ALLOW: folderList(
    'Absolute paths of programs that Execute Command nodes may run on the worker, separated by commas. They run without a shell, with an empty environment, as EXECUTE_COMMAND_UID; this requires a worker that runs as root. A shell, an interpreter or /usr/bin/env allows every command. Absent: the node is disabled.',
  ),
  // Other services run as user 65534, such as the embedded Postgres if root starts it.
  EXECUTE_COMMAND_UID: integer(
    65_532,
    { min: 1, max: 4_294_967_294 },
    'User id that commands run as: a user that no other process of the machine has.',
  ),
  EXECUTE_COMMAND_GID: integer(65_532, { min: 1, max: 4_294_967_294 }, 'Group id that commands run as.'),
  SLUICE_NODES_DIR: optionalText(
    { pattern: /./, message: 'must be a directory' },
    'Folder of third-party npm packages with node and credential types, the same for every API and worker process. Their code runs in these processes, with all of their rights. Absent: none.',
  ),
  SLUICE_NODES_ALLOW: optionalList(
    {
      pattern: /^(@[\w.-]+\/)?([\w.-]+)$|^@[\w.-]+\/\*$/,
      message: 'must list names of npm packages, separated by commas',
    },
    'Packages of that folder that may be loaded, separated by commas; `@scope/*` allows all packages of a scope. Absent: all.',
  ),
  SLUICE_NODES_PREFER: optionalList(
    {
      pattern: /^(@[\w.-]+\/)?([\w.-]+)$|^@[\w.-]+\/\*$/,
      message: 'must list names of npm packages, separated by commas',
    },
    'Packages of that folder whose node and credential types replace those of Sluice with the same name, as in SLUICE_NODES_ALLOW. The same for every API and worker process. Absent: none.',
  ),
  NODE_RUNS_MAX: integer(
    100_000,
    { min: 1, max: 100_000_000 },
    'Maximum node runs of one execution; beyond it, the execution ends with an error, since it most likely contains an endless loop.',
  ),
  AI_MAX_MODEL_CALLS: integer(
    1_000,
    { min: 1, max: 1_000_000 },
    'Maximum calls of language models of one execution and all that it calls; beyond it, the node fails with `AI_LIMIT_REACHED`. Agents have their own limit of iterations, too.',
  ),
  AI_MAX_TOOL_CALLS: integer(
    2_000,
    { min: 1, max: 1_000_000 },
    'Maximum calls of tools by the agents of one execution and all that it calls; beyond it, the node fails with `AI_LIMIT_REACHED`.',
  ),
  AI_MAX_TOKENS: integer(
    10_000_000,
    { min: 1, max: 1_000_000_000_000 },
    'Maximum tokens of all language models in one execution and all that it calls, as counted by their providers; once they are used, the next call fails with `AI_LIMIT_REACHED`.',
  ),
  AI_MAX_COST_USD: decimal(
    100,
    { min: 0.000_001, max: 1_000_000_000 },
    'Maximum cost of all language models in one execution and all that it calls, in USD; once it is spent, the next call fails with `AI_LIMIT_REACHED`. The cost is known if the provider reports it (OpenRouter, Perplexity), or AI_MODEL_PRICES has the model.',
  ),
  AI_MODEL_PRICES: priceTable(
    'Prices of language models in USD for a million tokens of input and of output, as `gpt-4o-mini=0.15/0.6,claude-sonnet-*=3/15`. A final `*` matches all names with that prefix. Used if a provider does not report the cost.',
  ),
  TIMEZONE: timezone('UTC', 'Time zone of workflows that set none.'),
  EXPRESSIONS_ENV_ALLOW: list(
    { pattern: /^[A-Za-z_]\w*$/, message: 'must list names of environment variables, separated by commas' },
    'Environment variables of the worker that expressions may read as `$env`, separated by commas; every author of a workflow sees their values.',
  ),
  SANDBOX_TIMEOUT_MS: integer(
    10_000,
    { min: 10, max: day },
    'Milliseconds of processor time and sleep that one call of user code may use. Its wall time is limited to three times as much.',
  ),
  SANDBOX_MEMORY_MB: integer(128, { min: 16, max: 2048 }, 'Memory of one sandbox, in MiB.'),
  SANDBOX_THREADS: integer(
    2,
    { min: 1, max: 64 },
    'Sandbox threads of each worker; they start at first use. Up to three times as many spare threads replace threads with slow calls.',
  ),
  SSRF_PROTECTION: choice(
    'on',
    ['on', 'strict', 'off'],
    'Refuses private and local targets: `on` for HTTP requests of nodes, `strict` for every outgoing connection of nodes, `off`. Every mode refuses the endpoints of Sluice itself.',
  ),
  SSRF_ALLOW: networkList(
    'Allowed targets: CIDRs and host names, separated by commas, each with an optional port (`10.0.0.5:8080`, `[fd00::5]:8080`); `*.example.org` covers all names below it. Only an entry that is exactly a host (or an address) with a port opens an endpoint of Sluice itself.',
  ),
  SSRF_DENY: refusedList(
    'Targets that are refused in every mode, in addition to the database, Redis, object store, and ports in the settings of this process: CIDRs, and host names with a port, separated by commas. List the API and the workers under the addresses that other processes use (`api:5678,worker:5679`).',
  ),
  LOG_LEVEL: choice('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'Minimum level of log lines.'),
} as const;

export type SettingName = keyof typeof settings;
