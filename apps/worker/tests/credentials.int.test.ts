import type { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, test } from '@jest/globals';
import {
  Access,
  AuditRepository,
  CredentialRepository,
  ExecutionRepository,
  ExecutionStarter,
  RunDataRepository,
  WorkflowRepository,
} from '@sluice/db';
import { type JsonObject, randomId, type WorkflowGraph } from '@sluice/domain';
import { LoopbackService } from '@sluice/http-client/testing';
import { createLogger } from '@sluice/logger';
import { type CredentialType, defineCredentialType, type ExecuteContext } from '@sluice/node-sdk';
import { aChain, aNode, eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { startWorker } from '../src/worker.ts';
import { Fleet, silent } from './support/fleet.ts';
import { probeOf } from './support/probe-of.ts';

const secret = 'sentinel/p+ss "word"';
const vault = new Vault(KeyRing.parse([testMasterKey]));

/** A node that handles a credential as carelessly as some nodes and services do. */
const careless = new Map<string, (context: ExecuteContext, data: JsonObject) => Promise<JsonObject> | JsonObject>([
  ['echo', (_, { user, password }) => ({ header: basic(user, password), plain: `it is ${password}`, user: user ?? null })],
  ['url', (_, { password }) => ({ url: `https://x.test/?p=${encodeURIComponent(String(password))}`, [String(password)]: 1 })],
  [
    'fail',
    (_, { password }) => {
      throw new Error(`cannot log in with ${password}`, { cause: new Error(String(password)) });
    },
  ],
  [
    'log',
    (context, { user, password }) => {
      const err = new Error(`refused: ${password}`);
      context.logger.warn({ headers: [basic(user, password)], deep: { password }, err }, `with ${password}`);
      return {};
    },
  ],
  [
    'token',
    (context, { password }) => {
      const token = `signed-${String(password).length}-token`;
      context.hideSecret(token);
      return { token };
    },
  ],
  [
    'call',
    async (context) => {
      const authentication = await context.authentication('sessionAuth', 0);
      await service.arrive();
      const request = { method: 'GET', url: service.url, authentication };
      const { status } = await context.http.request(request, context.signal);
      return { status };
    },
  ],
  ['share', (_, data) => ({ token: data['token'] ?? null })],
  [
    'change',
    (_, data) => {
      const before = data['user'] ?? null;
      data['user'] = 'changed by a node';
      return { before };
    },
  ],
]);

function basic(user: unknown, password: unknown): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

const probe = probeOf(async (context) => {
  const type = context.parameter<string>('type', 0, 'httpBasicAuth');
  const data = await context.credentials(type, 0);
  const act = careless.get(context.parameter<string>('act', 0));
  return [[{ json: (await act?.(context, data)) ?? {} }]];
});

let renewals = 0;
const credentialTypes: CredentialType[] = [
  defineCredentialType({
    name: 'httpBasicAuth',
    displayName: 'Basic',
    properties: [
      { displayName: 'User', name: 'user', type: 'string', default: '' },
      { displayName: 'Password', name: 'password', type: 'string', default: '', typeOptions: { password: true } },
    ],
  }),
  defineCredentialType({
    name: 'tokenAuth',
    displayName: 'Token',
    properties: [{ displayName: 'Token', name: 'token', type: 'string', default: '', typeOptions: { password: true } }],
    renewal: {
      isDue: (data) => data['token'] === 'expired-token',
      async renew() {
        renewals += 1;
        await new Promise((resolve) => setTimeout(resolve, 50));
        return { token: 'renewed-token' };
      },
    },
  }),
];

/** A service with one session at a time, which it can end. */
class SessionService extends LoopbackService {
  logins = 0;
  /** Requests that wait for each other, so that the session has ended for all of them. */
  #gate = { missing: 0, open: Promise.withResolvers<void>() };

  expect(calls: number): void {
    this.#gate = { missing: calls, open: Promise.withResolvers<void>() };
  }

  async arrive(): Promise<void> {
    this.#gate.missing -= 1;
    if (this.#gate.missing <= 0) this.#gate.open.resolve();
    await this.#gate.open.promise;
  }

  /** Ends all sessions. */
  end(): void {
    this.logins += 1;
  }

  protected handle({ url, headers }: IncomingMessage, response: ServerResponse): void {
    const isLogin = url === '/login';
    if (isLogin) this.logins += 1;
    if (isLogin) response.end(`session-${this.logins}`);
    else response.writeHead(headers.authorization === `session-${this.logins}` ? 200 : 401).end();
  }
}

const service = new SessionService();
credentialTypes.push(
  defineCredentialType({
    name: 'sessionAuth',
    displayName: 'Session',
    properties: [{ displayName: 'Key', name: 'key', type: 'string', default: '', typeOptions: { password: true } }],
    preAuthentication: {
      validForMs: 3_600_000,
      async obtain(_, { http }, signal) {
        const { body } = await http.request({ method: 'POST', url: `${service.url}/login` }, signal);
        return { session: Buffer.from(body).toString() };
      },
    },
    authenticate: { headers: { Authorization: '{session}' } },
  }),
);

let logged = '';

await service.listen();
const fleet = await Fleet.start({ SSRF_PROTECTION: 'off' });
const sink = new Writable({
  write(chunk, _, done) {
    logged += chunk;
    done();
  },
});
const overrides = {
  engine: { nodeTypes: { find: () => probe } },
  credentialTypes,
  logger: createLogger({ name: 'worker', level: 'debug', destination: sink }),
};
await Promise.all([fleet.work(overrides), fleet.work(overrides)]);
afterAll(async () => {
  await fleet.close();
  await service.stop();
});

async function aCredential(
  projectId: string,
  data: JsonObject = { user: 'ann', password: secret },
  changes: { type?: string; isGlobal?: boolean } = {},
): Promise<string> {
  const subject = { id: randomId(), type: changes.type ?? 'httpBasicAuth' };
  const head = { projectId, name: 'c', isGlobal: changes.isGlobal ?? false, isResolvable: false };
  const sealed = vault.seal(subject, data);
  await new CredentialRepository(fleet.db.kysely).create({ ...subject, ...head, sealed });
  return subject.id;
}

/** Runs several nodes that each use the same credential once. */
async function run(projectId: string, acts: string[], credentialId: string | null, type = 'httpBasicAuth') {
  const credentials = { [type]: { id: credentialId, name: 'c' } };
  const nodes = acts.map((act) => aNode({ name: act, type: 'test.probe', parameters: { act, type }, credentials }));
  return startRun(projectId, aChain(nodes));
}

async function startRun(projectId: string, graph: WorkflowGraph): Promise<string> {
  const created = { projectId, graph, staticData: null, meta: null, authorId: fleet.userId };
  const { id: workflowId, graphHash } = await new WorkflowRepository(fleet.db.kysely).create(created, new Access('all'));
  const executionId = await new ExecutionStarter(fleet.db).start({
    workflowId,
    access: new Access('all'),
    graphHash,
    mode: 'manual',
    userId: null,
  });
  await fleet.queue.enqueue({ executionId, attempt: 1 });
  return executionId;
}

async function ended(executionId: string) {
  const executions = new ExecutionRepository(fleet.db);
  const execution = await eventually(async () => {
    const current = await executions.get(executionId, new Access('all'));
    return ['success', 'error', 'crashed'].includes(current.status) && current;
  });
  const runs = await new RunDataRepository(fleet.db).listNodeRuns(executionId);
  return { execution, runs, stored: JSON.stringify([execution, runs]) };
}

const outputOf = (runs: Awaited<ReturnType<typeof ended>>['runs'], node: string) =>
  runs.find(({ nodeName }) => nodeName === node)?.run.data?.['main']?.[0]?.[0]?.json;

describe('a used credential', () => {
  test('is passed to the node, and its secrets are not stored', async () => {
    const project = await fleet.aProject();
    const { execution, runs, stored } = await ended(await run(project, ['echo', 'url', 'token'], await aCredential(project)));
    expect(execution.status).toBe('success');
    expect(outputOf(runs, 'echo')).toMatchObject({ user: 'ann', plain: 'it is ***REDACTED***' });
    for (const form of [
      secret,
      'sentinel',
      JSON.stringify(secret).slice(1, -1),
      basic('ann', secret).slice(12),
      'signed-20-token',
    ]) {
      expect(stored).not.toContain(form);
    }
    expect(stored).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8));
  });

  test('is redacted in the errors of the run and the node', async () => {
    const project = await fleet.aProject();
    const { execution, stored } = await ended(await run(project, ['fail'], await aCredential(project)));
    expect(execution.error).toMatchObject({ message: 'cannot log in with ***REDACTED***', node: 'fail' });
    expect(stored).not.toContain('sentinel');
  });

  test('is redacted in the log', async () => {
    const project = await fleet.aProject();
    await ended(await run(project, ['log', 'fail'], await aCredential(project)));
    expect(logged).toContain('with ***REDACTED***');
    expect(logged).not.toContain('sentinel');
    expect(logged).not.toContain(Buffer.from(secret).toString('base64').slice(0, 8));
  });

  test('is unchanged for the next node if a node changes it', async () => {
    const project = await fleet.aProject();
    const { runs } = await ended(await run(project, ['change', 'echo'], await aCredential(project)));
    expect([outputOf(runs, 'change'), outputOf(runs, 'echo')?.['user']]).toEqual([{ before: 'ann' }, 'ann']);
  });
});

describe('a session that its service ends early', () => {
  test('is renewed once for all uses on both workers, and their requests are repeated', async () => {
    const project = await fleet.aProject();
    const id = await aCredential(project, { key: 'k' }, { type: 'sessionAuth' });
    const call = async () => outputOf((await ended(await run(project, ['call'], id, 'sessionAuth'))).runs, 'call');
    service.expect(1);
    expect(await call()).toEqual({ status: 200 });
    const before = service.logins;
    service.end();
    service.expect(6);
    expect(await Promise.all(Array.from({ length: 6 }, call))).toEqual(Array(6).fill({ status: 200 }));
    expect(service.logins - before).toBe(2); // one early end and one login
  });
});

describe('the use of a credential', () => {
  test.each<[string, string, (home: string, other: string) => Promise<string | null>]>([
    ['that the node does not name', 'CREDENTIAL_NOT_SET', async () => null],
    ['that does not exist', 'CREDENTIAL_NOT_FOUND', async () => 'none'],
    ['whose ID is an SQL injection', 'CREDENTIAL_NOT_FOUND', async () => "x' OR '1'='1"],
    ['of another type', 'CREDENTIAL_NOT_FOUND', (home) => aCredential(home, { token: 'x' }, { type: 'tokenAuth' })],
    ['of another project', 'CREDENTIAL_NOT_ACCESSIBLE', (_, other) => aCredential(other)],
  ])('%s ends the run with %s', async (_, code, makeId) => {
    const [home, other] = [await fleet.aProject(), await fleet.aProject()];
    const { execution, stored } = await ended(await run(home, ['echo'], await makeId(home, other)));
    expect(execution).toMatchObject({ status: 'error', error: { code } });
    expect(stored).not.toContain('sentinel');
  });

  test('is allowed only as long as the credential is shared or global', async () => {
    const [home, other] = [await fleet.aProject(), await fleet.aProject()];
    const credentials = new CredentialRepository(fleet.db.kysely);
    const all = { access: new Access('all'), members: new Access('all') };
    const [shared, global] = [await aCredential(other), await aCredential(other, { password: secret }, { isGlobal: true })];
    await credentials.replaceShares(shared, [home], all);
    for (const id of [shared, global]) expect((await ended(await run(home, ['echo'], id))).execution.status).toBe('success');
    await credentials.replaceShares(shared, [], all);
    expect((await ended(await run(home, ['echo'], shared))).execution.error?.code).toBe('CREDENTIAL_NOT_ACCESSIBLE');
  });

  test('whose encrypted record was copied from another row ends the run with CREDENTIAL_UNREADABLE', async () => {
    const project = await fleet.aProject();
    const [mine, other] = [await aCredential(project, { password: 'mine' }), await aCredential(await fleet.aProject())];
    const { kysely } = fleet.db;
    const columns = ['version', 'key_id', 'wrapped_dek', 'iv', 'ciphertext', 'tag'] as const;
    const stolen = await kysely.selectFrom('credentials').select(columns).where('id', '=', other).executeTakeFirstOrThrow();
    await kysely.updateTable('credentials').set(stolen).where('id', '=', mine).execute();
    const { execution, stored } = await ended(await run(project, ['echo'], mine));
    expect(execution.error?.code).toBe('CREDENTIAL_UNREADABLE');
    expect(stored).not.toContain('sentinel');
  });
});

describe('the audit log', () => {
  const usesOf = (credentialId: string, count: number) =>
    eventually(async () => {
      const lines = await new AuditRepository(fleet.db.kysely).list({ object: credentialId }, { limit: 10 });
      expect(lines).toHaveLength(count);
      return lines;
    });

  test('has one entry for each execution that used a credential, no matter how often', async () => {
    const project = await fleet.aProject();
    const id = await aCredential(project);
    const executionId = await run(project, ['echo', 'url', 'token', 'change'], id);
    const { execution } = await ended(executionId);
    const [use] = await usesOf(id, 1);
    expect(use).toMatchObject({
      actor: `execution:${executionId}`,
      action: 'credential.use',
      objectType: 'credential',
      objectId: id,
      objectName: 'c',
      projectId: project,
      outcome: 'success',
      details: { executionId, workflowId: execution.workflowId },
    });
    await ended(await run(project, ['echo'], id));
    await usesOf(id, 2);
  });

  test('has an entry for a denied use', async () => {
    const id = await aCredential(await fleet.aProject());
    await ended(await run(await fleet.aProject(), ['echo'], id));
    expect(await usesOf(id, 1)).toMatchObject([{ action: 'credential.use', outcome: 'denied' }]);
  });

  test('records how each worker was started', async () => {
    const starts = await new AuditRepository(fleet.db.kysely).list({ object: 'worker' }, { limit: 10 });
    expect(starts).toHaveLength(2);
    expect(starts[0]?.details?.['settings']).toEqual(expect.arrayContaining(['DATABASE_URL', 'QUEUE_PREFIX']));
  });
});

test('concurrent runs on several workers renew an expired token once', async () => {
  const project = await fleet.aProject();
  const id = await aCredential(project, { token: 'expired-token' }, { type: 'tokenAuth' });
  renewals = 0;
  const runs = await Promise.all(Array.from({ length: 12 }, () => run(project, ['share'], id, 'tokenAuth')));
  const outcomes = await Promise.all(runs.map(ended));
  expect(outcomes.map(({ execution }) => execution.status)).toEqual(runs.map(() => 'success'));
  expect(renewals).toBe(1);
  expect(outcomes.map(({ stored }) => stored).join()).not.toContain('renewed-token');
});

test('a worker without the master key of the database does not start and reports the reason', async () => {
  const started = startWorker(fleet.config({ ENCRYPTION_KEY: 'another-master-key-altogether' }), { logger: silent });
  await expect(started).rejects.toThrow(/ENCRYPTION_KEY \(or master\.key\) holds no key/);
  expect(() => fleet.config({ ENCRYPTION_KEY: 'short' })).toThrow(/ENCRYPTION_KEY must/);
  await expect(startWorker(fleet.config({ ENCRYPTION_KEY: undefined }), { logger: silent })).rejects.toThrow(
    /ENCRYPTION_KEY is required/,
  );
});
