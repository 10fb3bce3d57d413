import { type RawEnv, toConfig } from '@sluice/config';
import {
  ApiKeyRepository,
  type Database,
  ensureBootstrap,
  generateApiKey,
  ProjectRepository,
  type User,
  UserRepository,
} from '@sluice/db';
import { type InstanceRole, randomId, type Scope, scopes } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { testDatabase, testMasterKey, testRedisPrefix, testRedisUrl } from '@sluice/test-support';
import { type RunningApi, startApi } from '../../src/api.ts';
import type { ContextOverrides } from '../../src/context.ts';
import { assertDocumented } from './documented.ts';

export const ownerKey = 'an-owner-key-of-any-format';

export interface ApiResponse {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses freely; their shape is validated against the contract
  body: any;
}

export interface CallOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent unchanged, as `application/json` unless `headers` set another type. */
  rawBody?: string | Buffer | undefined;
  /** Null: no key. Default: the owner's key. */
  key?: string | null | undefined;
  headers?: Record<string, string>;
}

export interface TestApi {
  url: string;
  db: Database;
  redisPrefix: string;
  api: RunningApi;
  /**
   * `call('GET', '/workflows')`: below `/api/v1`. Fails unless the API document has such a
   * response.
   */
  call(method: string, path: string, options?: CallOptions): Promise<ApiResponse>;
  /** Creates a user with a key. */
  newUser(role: InstanceRole): Promise<{ user: User; key: string }>;
  newKey(userId: string, changes?: { scopes?: readonly Scope[]; expiresAt?: Date }): Promise<string>;
  projects: ProjectRepository;
  keys: ApiKeyRepository;
  users: UserRepository;
  close(): Promise<void>;
}

/**
 * The API on real Postgres and Redis, on its own port. Without a worker, started executions stay
 * `new`. `route` can reroute its connections; the test's own connections stay direct.
 */
export async function startTestApi(
  settings: RawEnv = {},
  route: (urls: { DATABASE_URL: string; REDIS_URL: string }) => Promise<RawEnv> = async (urls) => urls,
  overrides: ContextOverrides = {},
): Promise<TestApi> {
  const database = await testDatabase();
  const redisPrefix = testRedisPrefix();
  const config = toConfig({
    PORT: '0',
    ...(await route({ DATABASE_URL: database.url, REDIS_URL: testRedisUrl() })),
    QUEUE_PREFIX: redisPrefix,
    ENCRYPTION_KEY: testMasterKey,
    PUBLIC_URL: 'https://sluice.example',
    RUN_WAIT_MS: '50',
    RATE_LIMIT_MAX: '1000000',
    ...settings,
  });
  await ensureBootstrap(database.db.kysely, { bootstrapApiKey: ownerKey });
  const api = await startApi(config, { logger: createLogger({ name: 'test', level: 'silent' }), ...overrides });
  const url = `http://127.0.0.1:${api.port}`;
  const { kysely } = database.db;
  const keys = new ApiKeyRepository(kysely);
  const users = new UserRepository(kysely);
  const newKey: TestApi['newKey'] = async (userId, { scopes: granted = scopes, expiresAt = null as Date | null } = {}) => {
    const rawKey = generateApiKey();
    await keys.create({ userId, label: 'test', rawKey, scopes: granted, expiresAt: expiresAt ?? null });
    return rawKey;
  };
  await ready(url);
  return {
    url,
    db: database.db,
    redisPrefix,
    api,
    call: (method, path, options) => call(url, method, path, options),
    async newUser(role) {
      const user = await users.create({ email: `${randomId()}@example.com`, role });
      return { user, key: await newKey(user.id) };
    },
    newKey,
    projects: new ProjectRepository(kysely),
    keys,
    users,
    async close() {
      await api.stop();
      await database.drop();
    },
  };
}

async function ready(url: string): Promise<void> {
  const deadline = Date.now() + 120_000;
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    const text = await response.text();
    if (response.status === 200) return;
    if (Date.now() > deadline) throw new Error(`the API does not become ready: ${text}`);
  }
}

async function call(url: string, method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
  const { body, rawBody, key = ownerKey, headers = {} } = options;
  const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    body: text ?? null,
    headers: {
      ...(text === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === null ? {} : { 'x-service-api-key': key }),
      ...headers,
    },
  });
  const noBody = response.status === 204;
  const received: ApiResponse = {
    status: response.status,
    headers: response.headers,
    body: noBody ? null : await response.json(),
  };
  if (!noBody && received.headers.get('content-type') !== 'application/json; charset=utf-8')
    throw new Error('the response is not JSON');
  if (received.status >= 400 && received.headers.get('x-request-id') !== received.body.requestId)
    throw new Error('the request id differs');
  assertDocumented(method, path, received);
  return received;
}
