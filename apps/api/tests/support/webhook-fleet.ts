import { type RawEnv, toConfig } from '@sluice/config';
import { type ExecutionStatus, type JsonObject, randomId, type WorkflowNode } from '@sluice/domain';
import { createLogger, type Logger } from '@sluice/logger';
import { aChain, aNode, eventually, testMasterKey, testRedisUrl } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { type RunningWorker, startWorker } from '@sluice/worker';
import { type RunningApi, startApi } from '../../src/api.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
export const vault = new Vault(KeyRing.parse([testMasterKey]));

/** Two API replicas and a worker on one database. */
export interface WebhookFleet {
  api: TestApi;
  /** URL of the other replica. */
  otherUrl: string;
  worker: RunningWorker;
  /**
   * Creates a workflow of a webhook and the nodes after it, and activates it; resolves to its ID.
   */
  activate(webhook: JsonObject, nodes?: WorkflowNode[], more?: Partial<WorkflowNode>): Promise<string>;
  /** Like `activate`, for a webhook that responds to POST with its item; resolves to its path. */
  activateEcho(parameters?: JsonObject, more?: Partial<WorkflowNode>): Promise<string>;
  /** Sends a request to a webhook of the first replica. */
  call(path: string, init?: RequestInit): Promise<Response>;
  /** Sends a POST with JSON. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Statuses of a workflow's executions, oldest first. */
  statusesOf(workflowId: string): Promise<ExecutionStatus[]>;
  startReplica(more?: RawEnv, logger?: Logger): Promise<RunningApi>;
  close(): Promise<void>;
}

export async function startWebhookFleet(settings: RawEnv = {}): Promise<WebhookFleet> {
  const shared: RawEnv = { PUBLIC_URL: 'https://sluice.example', ENCRYPTION_KEY: testMasterKey, ...settings };
  let databaseUrl = '';
  const api = await startTestApi(shared, async (urls) => {
    databaseUrl = urls.DATABASE_URL;
    return urls;
  });
  const settingsOf = (more: RawEnv = {}) => ({
    ...shared,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: api.redisPrefix,
    SHUTDOWN_GRACE_MS: '500',
    ...more,
  });
  const startReplica = (more?: RawEnv, replicaLogger = logger) =>
    startApi(toConfig(settingsOf(more)), { logger: replicaLogger });
  const other = await startReplica();
  await eventually(async () => (await fetch(`http://127.0.0.1:${other.port}/readyz`)).status === 200);
  const worker = await startWorker(toConfig(settingsOf()), { logger });
  const activate: WebhookFleet['activate'] = async (webhook, nodes = [], more = {}) => {
    const node = aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: webhook, ...more });
    const { body } = await api.call('POST', '/workflows', { body: { ...aChain([node, ...nodes]) } });
    const activated = await api.call('POST', `/workflows/${body.id}/activate`);
    if (activated.status !== 200) throw new Error(JSON.stringify(activated.body));
    return body.id as string;
  };
  const call: WebhookFleet['call'] = (path, init) => fetch(`${api.url}/webhook/${path}`, init);
  return {
    api,
    otherUrl: `http://127.0.0.1:${other.port}`,
    worker,
    startReplica,
    activate,
    async activateEcho(parameters = {}, more = {}) {
      const path = aPath();
      await activate({ path, httpMethod: 'POST', responseMode: 'lastNode', ...parameters }, [], more);
      return path;
    },
    call,
    post: (path, body, headers = {}) =>
      call(path, { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    async statusesOf(workflowId) {
      const query = api.db.kysely.selectFrom('executions').select('status').where('workflow_id', '=', workflowId).orderBy('id');
      return (await query.execute()).map(({ status }) => status);
    },
    async close() {
      await worker.stop();
      await other.stop();
      await api.close();
    },
  };
}

/** An unused path. */
export const aPath = () => `path-${randomId()}`;

/** Code of an error response. Fails for a 400 without the path and message of a problem. */
export async function codeOf(response: Response): Promise<string> {
  const { code, details } = (await response.json()) as { code: string; details?: { path: string; message: string }[] };
  if (response.status === 400 && !details?.[0]?.message) throw new Error(`a 400 without details: ${code}`);
  return code;
}

export const aSet = (name: string, jsonOutput: string): WorkflowNode =>
  aNode({ name, type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } });

export const aCode = (name: string, jsCode: string): WorkflowNode =>
  aNode({ name, type: 'base.code', typeVersion: 2, parameters: { jsCode } });

export const aRespond = (parameters: JsonObject, typeVersion = 1.4): WorkflowNode =>
  aNode({ name: 'Respond', type: 'base.respond-to-webhook', typeVersion, parameters });
