import { choice, integer, numberTable, optionalText, secretList, text } from '../setting.ts';

const day = 86_400_000;

/** Keys, the edition, waits, event streams, and rate limits of the API. */
export const apiSettings = {
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
} as const;
