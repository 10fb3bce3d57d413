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
  message: 'must start with postgres:// or postgresql://; its target_session_attrs may be any, read-write, or primary',
};

/** Every environment variable that Sluice reads, in the order of `.env.example`. */
export const settings = {
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
  BOOTSTRAP_API_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{20,512}$/, message: 'must be 20 to 512 visible ASCII characters' },
    'API key of the owner with every scope, created at startup unless it exists. If not set, the first key is generated and printed once.',
  ),
  ENCRYPTION_KEY: secretList(
    16,
    'Master keys that encrypt credentials, separated by commas: the first encrypts, all decrypt. Each is 32 bytes in base64 or hex, or a passphrase of 16 or more characters. If not set, `sluice up` creates a key in the file `master.key` in SLUICE_HOME.',
  ),
  API_KEY_HEADER: text(
    'X-SERVICE-API-KEY',
    { pattern: /^[!#$%&'*+.^_`|~\w-]{1,128}$/, message: 'must be the name of an HTTP header' },
    'Request header that carries the API key.',
  ),
  LICENSE: choice(
    'enterprise',
    ['enterprise', 'community'],
    'Edition: `community` gives every key all scopes, and does not include credential sharing and resolvable credentials.',
  ),
  TRUST_PROXY: integer(
    0,
    { min: 0, max: 32 },
    'Number of reverse proxies in front of the API whose X-Forwarded-For is trusted.',
  ),
  RUN_WAIT_MS: integer(
    10_000,
    { min: 0, max: 300_000 },
    'Milliseconds that POST /workflows/:id/run waits for the execution to end before it responds without the result.',
  ),
  WEBHOOK_WAIT_MS: integer(
    120_000,
    { min: 100, max: 3_600_000 },
    'Milliseconds that a webhook request waits for the response of its workflow; then it gets status 504, and the workflow continues.',
  ),
  EVENT_STREAMS_MAX: integer(
    1000,
    { min: 0, max: 100_000 },
    'Maximum number of streams of GET /executions/:id/events and GET /events per API process, and also of streams for MCP clients with the SSE transport.',
  ),
  EVENT_STREAMS_KEY_MAX: integer(
    20,
    { min: 0, max: 100_000 },
    'Maximum number of these streams for one API key or MCP server. All keys of a user, and all servers of a project, get at most half of the free streams.',
  ),
  RATE_LIMIT_MAX: integer(
    1000,
    { min: 1, max: 1_000_000_000 },
    'Maximum number of requests to /api/v1 and /mcp per window and client address (for IPv6, per /64 network), over all API processes.',
  ),
  RATE_LIMIT_WINDOW_MS: integer(300_000, { min: 1000, max: day }, 'Length of that window, in milliseconds.'),
  RATE_LIMIT_KEY_MAX: integer(
    0,
    { min: 0, max: 1_000_000_000 },
    'Maximum number of requests per window, API key, and group of operations; 0: RATE_LIMIT_KEY_TABLE applies.',
  ),
  RATE_LIMIT_KEY_TABLE: numberTable(
    { read: 3, write: 1, run: 1, credentialTest: 0.1 },
    'Maximum number of requests per window and API key, as a multiple of RATE_LIMIT_MAX, by group of operations: reading; changing; starting and retrying runs; testing credentials.',
  ),
  RATE_LIMIT_MISS_MAX: integer(
    1000,
    { min: 1, max: 1_000_000_000 },
    'Maximum number of requests to webhooks, test URLs, and waiting executions that fail as not found or not authorized, per window and client address; further requests get status 429.',
  ),
  RATE_LIMIT_ANONYMOUS_TABLE: numberTable(
    { address: 10, route: 100 },
    'Maximum number of requests to webhooks, forms, and waiting executions per window, as a multiple of RATE_LIMIT_MAX: per client address, and per webhook, form, or waiting execution. Further requests get status 429.',
  ),
  QUEUED_MAX_PER_PROJECT: integer(
    100_000,
    { min: 1, max: 1_000_000_000 },
    'Maximum number of queued executions per project. At the limit, new executions are rejected until some have started. Starts within the same two seconds may exceed the limit.',
  ),
  STORAGE_MAX_BYTES_PER_PROJECT: integer(
    50 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the data and files of all executions of a project. At the limit, webhook, form, and resume requests get status 413, and nodes fail, until executions are deleted. Data stored within a few seconds may exceed the limit.',
  ),
  WORKFLOWS_MAX_BYTES_PER_PROJECT: integer(
    10 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the workflows of a project: versions, static data, graphs sent with runs, conversations of memory nodes, and values that Remove Duplicates has seen. At the limit, saves and runs with new content get status 413, and nodes that store such data fail, until workflows are deleted. Data stored within a few seconds may exceed the limit.',
  ),
  DATA_TABLES_MAX_PER_PROJECT: integer(100, { min: 1, max: 100_000 }, 'Maximum number of data tables in a project.'),
  DATA_TABLES_MAX_BYTES_PER_PROJECT: integer(
    1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the rows in all data tables of a project. At the limit, rows can only be deleted or made smaller. Concurrent writes may exceed the limit.',
  ),
  DATA_TABLE_MAX_COLUMNS: integer(100, { min: 1, max: 1_000 }, 'Maximum number of columns in a data table.'),
  DATA_TABLE_MAX_ROWS: integer(5_000_000, { min: 1, max: 1_000_000_000 }, 'Maximum number of rows in a data table.'),
  CHAT_SESSIONS_MAX_BYTES_PER_WORKFLOW: integer(
    64 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * mebibyte },
    'Maximum size in bytes of the conversations that the memory nodes of a workflow keep. Above it, the conversations that have not changed for the longest time are deleted.',
  ),
  CHAT_SESSION_RETENTION_DAYS: integer(
    30,
    { min: 1, max: 36_500 },
    'Days for which memory nodes keep a conversation after its last message.',
  ),
  AUDIT_RETENTION_DAYS: integer(
    0,
    { min: 0, max: 36_500 },
    'Days for which entries of the audit log are kept; 0: no limit. Workers delete older entries at a rate of a few thousand per minute.',
  ),
  EXECUTION_RETENTION_DAYS: numberTable(
    { success: 14, error: 14, canceled: 14, crashed: 14 },
    'Days for which a finished execution is kept with its data and files, by status; 0 keeps all executions with that status, even beyond EXECUTION_RETENTION_MAX. Annotated executions are always kept.',
    // Postgres cannot represent a time two million days ago.
    { zero: true, max: 1_000_000 },
  ),
  EXECUTION_RETENTION_MAX: integer(
    50_000,
    { min: 0, max: 1_000_000_000 },
    'Maximum number of executions kept per project. The oldest finished executions above it are deleted, unless they are annotated. 0: no limit.',
  ),
  BODY_LIMIT_BYTES: integer(16 * mebibyte, { min: 1024, max: 512 * mebibyte }, 'Maximum size of a request body in bytes.'),
  JSON_MAX_DEPTH: integer(100, { min: 10, max: 1000 }, 'Maximum nesting depth of a JSON request body.'),
  WORKFLOW_MAX_NODES: integer(5000, { min: 1, max: 100_000 }, 'Maximum number of nodes in a workflow.'),
  NODE_RUN_MAX_BYTES: integer(
    16 * mebibyte,
    { min: 1024, max: 512 * mebibyte },
    'Maximum size in bytes of the output of one node run, as JSON.',
  ),
  EXECUTION_MAX_BYTES: integer(
    128 * mebibyte,
    { min: 1024, max: 4096 * mebibyte },
    'Maximum size in bytes of the run data of one execution, as JSON.',
  ),
  BINARY_STORE: choice(
    'disk',
    ['disk', 's3'],
    'Storage for files: `disk`, a folder that all processes share, or `s3`, a bucket in S3 or a compatible service.',
  ),
  BINARY_DIR: optionalText(
    { pattern: /./, message: 'must be a directory' },
    'Folder for `disk`. Default: `files` in SLUICE_HOME.',
  ),
  BINARY_S3_BUCKET: optionalText(
    { pattern: /^[\w.-]{1,255}$/, message: 'must be the name of a bucket' },
    'Bucket for `s3`; files are stored as objects `binary-data/…`.',
  ),
  BINARY_S3_REGION: text(
    'us-east-1',
    { pattern: /^[\w-]{1,64}$/, message: 'must be the name of a region' },
    'Region of the bucket.',
  ),
  BINARY_S3_ENDPOINT: optionalUrl(
    { pattern: /^https?:\/\/[^\s/?#@]+\/?$/, message: 'must be an address such as https://minio.example.com:9000' },
    'Address of an S3-compatible service other than AWS, such as MinIO; buckets are addressed by path.',
  ),
  BINARY_S3_ACCESS_KEY_ID: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Access key ID for the bucket. Default: the AWS credentials of the machine (role, environment, profile).',
  ),
  BINARY_S3_SECRET_ACCESS_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Secret of the access key.',
  ),
  BINARY_MAX_BYTES: integer(256 * mebibyte, { min: 1024, max: 64 * 1024 * mebibyte }, 'Maximum size of a file in bytes.'),
  BINARY_EXECUTION_MAX_BYTES: integer(
    1024 * mebibyte,
    { min: 1024, max: 1024 * 1024 * mebibyte },
    'Maximum total size in bytes of the files of one execution; each file counts as at least 4096 bytes.',
  ),
  FILES_DIR: folderList(
    'Folders on the worker that file nodes may read and write, separated by commas; folders of Sluice itself are always excluded. Default: none.',
  ),
  EXECUTE_COMMAND_ALLOW: folderList(
    'Absolute paths of programs that Execute Command nodes may run on the worker, separated by commas. They run without a shell, with an empty environment, as EXECUTE_COMMAND_UID; this requires a worker that runs as root. A shell, an interpreter, or /usr/bin/env allows every command. If not set, the node is disabled.',
  ),
  // Other services run as user 65534, such as the embedded Postgres if root starts it.
  EXECUTE_COMMAND_UID: integer(
    65_532,
    { min: 1, max: 4_294_967_294 },
    'User ID that commands run as. No other process on the machine may run as this user.',
  ),
  EXECUTE_COMMAND_GID: integer(65_532, { min: 1, max: 4_294_967_294 }, 'Group ID that commands run as.'),
  SLUICE_NODES_DIR: optionalText(
    { pattern: /./, message: 'must be a directory' },
    'Folder with npm packages that contain node and credential types. Must be the same for every API and worker process. Their code runs in these processes, with all of their privileges. Default: none.',
  ),
  SLUICE_NODES_ALLOW: optionalList(
    {
      pattern: /^(@[\w.-]+\/)?([\w.-]+)$|^@[\w.-]+\/\*$/,
      message: 'must list names of npm packages, separated by commas',
    },
    'Packages in that folder that may be loaded, separated by commas; `@scope/*` allows all packages in a scope. Default: all.',
  ),
  SLUICE_NODES_PREFER: optionalList(
    {
      pattern: /^(@[\w.-]+\/)?([\w.-]+)$|^@[\w.-]+\/\*$/,
      message: 'must list names of npm packages, separated by commas',
    },
    'Packages in that folder whose node and credential types replace built-in types of the same name, in the format of SLUICE_NODES_ALLOW. Must be the same for every API and worker process. Default: none.',
  ),
  NODE_RUNS_MAX: integer(
    100_000,
    { min: 1, max: 100_000_000 },
    'Maximum number of node runs per execution. At the limit, the execution ends with an error, because it most likely contains an endless loop.',
  ),
  AI_MAX_MODEL_CALLS: integer(
    1_000,
    { min: 1, max: 1_000_000 },
    'Maximum number of language model calls of one execution and all executions that it calls. At the limit, the node fails with `AI_LIMIT_REACHED`. Agents also have their own limit for iterations.',
  ),
  AI_MAX_TOOL_CALLS: integer(
    2_000,
    { min: 1, max: 1_000_000 },
    'Maximum number of tool calls by the agents of one execution and all executions that it calls. At the limit, the node fails with `AI_LIMIT_REACHED`.',
  ),
  AI_MAX_TOKENS: integer(
    10_000_000,
    { min: 1, max: 1_000_000_000_000 },
    'Maximum number of language model tokens for one execution and all executions that it calls, as counted by the providers. At the limit, the next call fails with `AI_LIMIT_REACHED`.',
  ),
  AI_MAX_COST_USD: decimal(
    100,
    { min: 0.000_001, max: 1_000_000_000 },
    'Maximum cost in USD of the language models for one execution and all executions that it calls. At the limit, the next call fails with `AI_LIMIT_REACHED`. The cost is known if the provider reports it (OpenRouter, Perplexity) or if AI_MODEL_PRICES lists the model.',
  ),
  AI_MODEL_PRICES: priceTable(
    'Prices of language models in USD per million input and output tokens, such as `gpt-4o-mini=0.15/0.6,claude-sonnet-*=3/15`. A trailing `*` matches all names with that prefix. Used if a provider does not report the cost.',
  ),
  TIMEZONE: timezone('UTC', 'Time zone of workflows that do not set a time zone.'),
  EXPRESSIONS_ENV_ALLOW: list(
    { pattern: /^[A-Za-z_]\w*$/, message: 'must list names of environment variables, separated by commas' },
    'Environment variables of the worker that expressions may read as `$env`, separated by commas; every workflow author can see their values.',
  ),
  SANDBOX_TIMEOUT_MS: integer(
    10_000,
    { min: 10, max: day },
    'Maximum CPU time, including sleep, of one call of user code in milliseconds. Its wall-clock time is limited to three times this value.',
  ),
  SANDBOX_MEMORY_MB: integer(128, { min: 16, max: 2048 }, 'Memory of one sandbox in MiB.'),
  SANDBOX_THREADS: integer(
    2,
    { min: 1, max: 64 },
    'Number of sandbox threads per worker; they start at first use. Up to three times as many spare threads replace threads with slow calls. In a container, the threads of each kind use at most a quarter of its memory.',
  ),
  SSRF_PROTECTION: choice(
    'on',
    ['on', 'strict', 'off'],
    'Whether private and local targets are refused: `on` for HTTP requests of nodes, `strict` for all outgoing connections of nodes, or `off`. `on` also refuses other connections to metadata services of clouds. Every mode refuses the endpoints of Sluice itself.',
  ),
  SSRF_ALLOW: networkList(
    'Allowed targets: CIDRs and host names, separated by commas, each with an optional port (`10.0.0.5:8080`, `[fd00::5]:8080`); `*.example.org` matches all subdomains. Only an entry with an exact host or address and a port allows an endpoint of Sluice itself.',
  ),
  SSRF_DENY: refusedList(
    'Targets that are refused in every mode, in addition to the database, Redis, object store, and ports in the settings of this process: CIDRs, and host names with a port, separated by commas. List the addresses at which other processes reach the API and the workers (`api:5678,worker:5679`).',
  ),
  LOG_LEVEL: choice(
    'info',
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    'Minimum level of logged messages.',
  ),
} as const;

export type SettingName = keyof typeof settings;
