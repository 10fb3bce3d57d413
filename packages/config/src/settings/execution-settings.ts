import {
  choice,
  decimal,
  folderList,
  integer,
  list,
  networkList,
  optionalList,
  optionalText,
  optionalUrl,
  priceTable,
  refusedList,
  text,
  timezone,
} from '../setting.ts';

const mebibyte = 1024 * 1024;
const day = 86_400_000;
const packageNames = {
  pattern: /^(@[\w.-]+\/)?([\w.-]+)$|^@[\w.-]+\/\*$/,
  message: 'must list names of npm packages, separated by commas',
};

/** Resources of executions: files, commands, packages, models, the sandbox, the network. */
export const executionSettings = {
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
    packageNames,
    'Packages in that folder that may be loaded, separated by commas; `@scope/*` allows all packages in a scope. Default: all.',
  ),
  SLUICE_NODES_PREFER: optionalList(
    packageNames,
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
} as const;
