import { type RawEnv, toConfig } from '@sluice/config';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { createLogger } from '@sluice/logger';
import { aChain, aNode, testRedisUrl } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { type RunningWorker, startWorker } from '@sluice/worker';
import { type RunningApi, startApi } from '../../src/api.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const logger = createLogger({ name: 'test', level: 'silent' });
export const vault = new Vault(KeyRing.parse(['a-master-key-of-the-tests']));

/** Two API replicas and a worker on one database. */
export interface WebhookFleet {
  api: TestApi;
  /** Of the other replica. */
  otherUrl: string;
  worker: RunningWorker;
  /** Makes a workflow of a webhook and what comes after it, and activates it; resolves to its id. */
  activate(webhook: JsonObject, nodes?: WorkflowNode[], more?: Partial<WorkflowNode>): Promise<string>;
  /** Calls a webhook of the first replica. */
  call(path: string, init?: RequestInit): Promise<Response>;
  startReplica(): Promise<RunningApi>;
  close(): Promise<void>;
}

export async function startWebhookFleet(settings: RawEnv = {}): Promise<WebhookFleet> {
  const shared: RawEnv = { PUBLIC_URL: 'https://sluice.example', ENCRYPTION_KEY: 'a-master-key-of-the-tests', ...settings };
  let databaseUrl = '';
  const api = await startTestApi(shared, async (urls) => {
    databaseUrl = urls.DATABASE_URL;
    return urls;
  });
  const config = toConfig({
    ...shared,
    PORT: '0',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    QUEUE_PREFIX: api.redisPrefix,
    SHUTDOWN_GRACE_MS: '500',
  });
  const startReplica = () => startApi(config, { logger });
  const other = await startReplica();
  const worker = await startWorker(config, { logger });
  return {
    api,
    otherUrl: `http://127.0.0.1:${other.port}`,
    worker,
    startReplica,
    async activate(webhook, nodes = [], more = {}) {
      const node = aNode({ name: 'Webhook', type: 'base.webhook', typeVersion: 2.1, parameters: webhook, ...more });
      const { body } = await api.call('POST', '/workflows', { body: { ...aChain([node, ...nodes]) } });
      const activated = await api.call('POST', `/workflows/${body.id}/activate`);
      if (activated.status !== 200) throw new Error(JSON.stringify(activated.body));
      return body.id as string;
    },
    call: (path, init) => fetch(`${api.url}/webhook/${path}`, init),
    async close() {
      await worker.stop();
      await other.stop();
      await api.close();
    },
  };
}

export const aSet = (name: string, jsonOutput: string): WorkflowNode =>
  aNode({ name, type: 'base.set', typeVersion: 3.4, parameters: { mode: 'raw', jsonOutput } });

export const aCode = (name: string, jsCode: string): WorkflowNode =>
  aNode({ name, type: 'base.code', typeVersion: 2, parameters: { jsCode } });

export const aRespond = (parameters: JsonObject, typeVersion = 1.4): WorkflowNode =>
  aNode({ name: 'Respond', type: 'base.respond-to-webhook', typeVersion, parameters });
