import {
  choice,
  environmentNames,
  folderList,
  integer,
  networkList,
  numberTable,
  optionalText,
  packageNames,
  refusedList,
  secretList,
  text,
  timezone,
} from './setting.ts';

const mebibyte = 1024 * 1024;
const day = 86_400_000;

/** Every environment variable that Sluice reads, in the order of `.env.example`. */
export const settings = {
  PORT: integer(5678, { min: 0, max: 65_535 }, 'TCP port of the API; 0 takes any free one.'),
  HOST: text(
    '127.0.0.1',
    { pattern: /^[\w.:-]+$/, message: 'must be an address or a host name' },
    "Address the API, and a worker's health port, listen on.",
  ),
  PUBLIC_URL: optionalText(
    {
      pattern: /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/,
      message: 'must be an address such as https://sluice.example.com, without a query',
    },
    'Address of the API as browsers reach it; services send users back to it (`/oauth2/callback`), and waiting executions are called at it (`$execution.resumeUrl`), so workers need it too. Absent: made of HOST and PORT.',
  ),
  SLUICE_HOME: text(
    './.sluice',
    { pattern: /./, message: 'must be a directory' },
    'Directory for what `sluice up` keeps: the data of its own Postgres and Redis, and logs.',
  ),
  DATABASE_URL: optionalText(
    { pattern: /^postgres(ql)?:\/\/.+/, message: 'must start with postgres:// or postgresql://' },
    'PostgreSQL 15 or newer. Absent: `sluice up` starts one of its own.',
  ),
  DATABASE_POOL_SIZE: integer(10, { min: 1, max: 1000 }, 'Postgres connections of each process.'),
  REDIS_URL: optionalText(
    { pattern: /^(rediss?:\/\/|unix:\/\/\/).+/, message: 'must start with redis://, rediss:// or unix:///' },
    'Redis 6.2 or newer, or Valkey. Absent: `sluice up` starts one of its own.',
  ),
  QUEUE_PREFIX: text(
    'sluice',
    { pattern: /^[\w-]{1,64}$/, message: 'must be 1 to 64 letters, digits, _ or -' },
    'Start of every Redis key; tells apart installations that share one Redis.',
  ),
  WORKERS: integer(1, { min: 0, max: 256 }, 'Worker processes that `sluice up` starts; 0 starts the API alone.'),
  CONCURRENCY: integer(10, { min: 1, max: 1000 }, 'Executions that one worker runs at once.'),
  WORKER_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of a worker for /healthz, /readyz and /metrics; 0 takes any free one. `sluice up` gives it to the first worker, and the ports after it to the others.',
  ),
  METRICS: choice(
    'on',
    ['on', 'off'],
    'Whether GET /metrics answers at METRICS_PORT of the API and at WORKER_PORT of a worker: numbers for Prometheus, without a key.',
  ),
  METRICS_PORT: integer(
    0,
    { min: 0, max: 65_535 },
    'TCP port of the API for /metrics, apart from the public one; 0 takes any free one.',
  ),
  LEASE_MS: integer(
    15_000,
    { min: 1000, max: 600_000 },
    'Milliseconds without a sign of life after which a worker counts as dead; it renews at a third of it.',
  ),
  STALL_MS: integer(
    60_000,
    { min: 1000, max: 3_600_000 },
    'Milliseconds without a response of the event loop after which a process counts as stuck and is killed, to be started again. Until then a worker keeps its lease.',
  ),
  POLLS_MAX: integer(20, { min: 0, max: 1_000 }, 'Polls of triggers that one worker has under way at the same time.'),
  POLL_TIMEOUT_MS: integer(60_000, { min: 1_000, max: 3_600_000 }, 'Milliseconds that a poll of a trigger may take.'),
  LISTENERS_MAX: integer(
    200,
    { min: 0, max: 100_000 },
    'Listeners (triggers that hold a connection) that one worker may have; 0: it has none.',
  ),
  SHUTDOWN_GRACE_MS: integer(
    10_000,
    { min: 0, max: 3_600_000 },
    'Milliseconds that a stopping process waits for work under way before it aborts it.',
  ),
  BOOTSTRAP_API_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{20,512}$/, message: 'must be 20 to 512 visible ASCII characters' },
    'API key of the owner with every scope, made at each start unless it is stored already. Absent: the first one is generated, and printed once.',
  ),
  ENCRYPTION_KEY: secretList(
    16,
    'Master keys that credentials are encrypted under, separated by commas: the first encrypts, all decrypt. Each is 32 bytes in base64 or hex, or a passphrase of 16 or more characters. Absent: `sluice up` makes one, in `master.key` in its home.',
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
  TRUST_PROXY: integer(0, { min: 0, max: 32 }, 'Reverse proxies in front of the API whose X-Forwarded-For is believed.'),
  RUN_WAIT_MS: integer(
    10_000,
    { min: 0, max: 300_000 },
    'Milliseconds that POST /workflows/:id/run waits for the end of the run before it answers without it.',
  ),
  WEBHOOK_WAIT_MS: integer(
    120_000,
    { min: 100, max: 3_600_000 },
    'Milliseconds that the call of a webhook waits for what its workflow answers; then it is answered 504, and the workflow goes on.',
  ),
  EVENT_STREAMS_MAX: integer(
    1000,
    { min: 0, max: 100_000 },
    'Streams of GET /executions/:id/events that one API process keeps open.',
  ),
  EVENT_STREAMS_KEY_MAX: integer(20, { min: 0, max: 100_000 }, 'Of these, streams of one API key.'),
  RATE_LIMIT_MAX: integer(
    1000,
    { min: 1, max: 1_000_000_000 },
    'Requests below /api/v1 that one client address (of IPv6, one /64) may make in a window; all API processes count together.',
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
    'Calls of webhooks, test URLs and waiting executions that may find nothing, or not be let in, in a window, for each client address; more are answered 429.',
  ),
  RATE_LIMIT_ANONYMOUS_TABLE: numberTable(
    { address: 10, route: 100 },
    'Requests of webhooks, forms and waiting executions in a window, as multiples of RATE_LIMIT_MAX: from one client address, and to one webhook or form (or waiting execution). More are answered 429.',
  ),
  QUEUED_MAX_PER_PROJECT: integer(
    100_000,
    { min: 1, max: 1_000_000_000 },
    'Executions of one project that may wait to start; beyond it, starts are refused until some have begun. Runs that start within the same second may pass it.',
  ),
  STORAGE_MAX_BYTES_PER_PROJECT: integer(
    50 * 1024 * mebibyte,
    { min: mebibyte, max: 1024 * 1024 * 1024 * mebibyte },
    'Bytes of data and files that the executions of one project may store. Beyond it, webhooks, forms and resumes are answered 413, and nodes fail, until executions are deleted. What is stored within a few seconds may pass it.',
  ),
  AUDIT_RETENTION_DAYS: integer(
    0,
    { min: 0, max: 36_500 },
    'Days for which lines of the audit log are kept; 0: for ever. Workers delete older ones, some thousand a minute.',
  ),
  EXECUTION_RETENTION_DAYS: numberTable(
    { success: 14, error: 14, canceled: 14, crashed: 14 },
    'Days after its end for which a finished execution is kept, by status, with its data and files; 0 keeps all executions of that status, also beyond EXECUTION_RETENTION_MAX. Annotated executions are always kept.',
    { zero: true },
  ),
  EXECUTION_RETENTION_MAX: integer(
    50_000,
    { min: 0, max: 1_000_000_000 },
    'Newest executions of each project that are kept; older ones are deleted once they have finished, unless they are annotated. 0: no limit.',
  ),
  BODY_LIMIT_BYTES: integer(16 * mebibyte, { min: 1024, max: 512 * mebibyte }, 'Largest request body.'),
  JSON_MAX_DEPTH: integer(100, { min: 10, max: 1000 }, 'Deepest nesting of a JSON request body.'),
  WORKFLOW_MAX_NODES: integer(5000, { min: 1, max: 100_000 }, 'Most nodes of one workflow.'),
  NODE_RUN_MAX_BYTES: integer(16 * mebibyte, { min: 1024, max: 512 * mebibyte }, 'Largest output of one node run, as JSON.'),
  EXECUTION_MAX_BYTES: integer(
    128 * mebibyte,
    { min: 1024, max: 4096 * mebibyte },
    'Largest run data of one execution, as JSON.',
  ),
  BINARY_STORE: choice(
    'disk',
    ['disk', 's3'],
    'Where the bytes of files are: `disk`, a folder that all processes share, or `s3`, a bucket of S3 or of what speaks as it does.',
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
  BINARY_S3_ENDPOINT: optionalText(
    { pattern: /^https?:\/\/[^\s/?#@]+\/?$/, message: 'must be an address such as https://minio.example.com:9000' },
    'Address of a service other than that of AWS, such as MinIO; it finds buckets by path.',
  ),
  BINARY_S3_ACCESS_KEY_ID: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Access key for the bucket. Absent: what the machine has by the rules of AWS (role, environment, profile).',
  ),
  BINARY_S3_SECRET_ACCESS_KEY: optionalText(
    { pattern: /^[\x21-\x7e]{1,256}$/, message: 'must be visible ASCII characters' },
    'Secret of that key.',
  ),
  BINARY_MAX_BYTES: integer(256 * mebibyte, { min: 1024, max: 64 * 1024 * mebibyte }, 'Largest file.'),
  BINARY_EXECUTION_MAX_BYTES: integer(
    1024 * mebibyte,
    { min: 1024, max: 1024 * 1024 * mebibyte },
    'Largest sum of the files of one execution; each counts as 4096 bytes or more.',
  ),
  FILES_DIR: folderList(
    'Folders of the worker that file nodes may read and write, separated by commas; never those of Sluice itself. Absent: none.',
  ),
  EXECUTE_COMMAND_ALLOW: folderList(
    'Absolute paths of programs that Execute Command nodes may run on the worker, separated by commas. They run without a shell, with an empty environment, as EXECUTE_COMMAND_UID; the worker has to run as root for that. A shell, an interpreter or /usr/bin/env allows every command. Absent: the node is turned off.',
  ),
  EXECUTE_COMMAND_UID: integer(65_534, { min: 1, max: 4_294_967_294 }, 'User id that commands run as.'),
  EXECUTE_COMMAND_GID: integer(65_534, { min: 1, max: 4_294_967_294 }, 'Group id that commands run as.'),
  SLUICE_NODES_DIR: optionalText(
    { pattern: /./, message: 'must be a directory' },
    'Folder of npm packages with node types and credential types of others, the same for every API and worker process. Their code runs in these processes, with all of their rights. Absent: none.',
  ),
  SLUICE_NODES_ALLOW: packageNames(
    'Packages of that folder that may be loaded, separated by commas; `@scope/*` stands for all of a scope. Absent: all.',
  ),
  NODE_RUNS_MAX: integer(
    100_000,
    { min: 1, max: 100_000_000 },
    'Times that the nodes of one execution may run, all together; then it ends with an error, since it most likely loops for ever.',
  ),
  TIMEZONE: timezone('UTC', 'Time zone of workflows that set none.'),
  EXPRESSIONS_ENV_ALLOW: environmentNames(
    'Environment variables of the worker that expressions may read as `$env`, separated by commas; every author of a workflow sees their values.',
  ),
  SANDBOX_TIMEOUT_MS: integer(10_000, { min: 10, max: day }, 'Milliseconds that one call of user code may take.'),
  SANDBOX_MEMORY_MB: integer(128, { min: 16, max: 2048 }, 'Memory of one sandbox, in MiB.'),
  SANDBOX_THREADS: integer(
    2,
    { min: 1, max: 64 },
    'Sandbox threads of each worker; they start at first use. Up to three times as many again stand in for threads whose call is slow.',
  ),
  SSRF_PROTECTION: choice(
    'on',
    ['on', 'strict', 'off'],
    'Refuses private and local targets: `on` for HTTP requests of nodes, `strict` for every outgoing connection of nodes, `off`. Every mode refuses the endpoints of Sluice itself.',
  ),
  SSRF_ALLOW: networkList(
    'Targets that are allowed all the same: CIDRs and host names, separated by commas, each with an optional port (`10.0.0.5:8080`, `[fd00::5]:8080`); `*.example.org` covers all names below it. Only an entry that is exactly a host (or an address) with a port opens an endpoint of Sluice itself.',
  ),
  SSRF_DENY: refusedList(
    'Targets that are refused in every mode, besides the database, Redis, object store and ports that this process knows from its own settings: CIDRs, and host names with a port, separated by commas. List the API and the workers as other processes reach them (`api:5678,worker:5679`).',
  ),
  LOG_LEVEL: choice('info', ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'Least severe log lines to write.'),
} as const;

export type SettingName = keyof typeof settings;
