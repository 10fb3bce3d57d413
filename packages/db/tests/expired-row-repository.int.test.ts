import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { AuditRepository } from '../src/audit/audit-repository.ts';
import { ensureBootstrap } from '../src/bootstrap.ts';
import { CredentialConsentRepository } from '../src/credentials/credential-consent-repository.ts';
import { CredentialRepository } from '../src/credentials/credential-repository.ts';
import { ExecutionRepository } from '../src/executions/execution-repository.ts';
import { ExpiredRowRepository } from '../src/maintenance/expired-row-repository.ts';
import { TestUrlRepository } from '../src/triggers/test-url-repository.ts';
import { WebhookStartRepository } from '../src/triggers/webhook-start-repository.ts';
import { generateApiKey } from '../src/users/api-key-format.ts';
import { ApiKeyRepository } from '../src/users/api-key-repository.ts';
import { UserRepository } from '../src/users/user-repository.ts';
import { anActiveWorkflow, anExecution, aStoredWorkflow, aWebhookSpec } from './a-workflow.ts';

const database = await testDatabase();
const expired = new ExpiredRowRepository(database.db.kysely, { batch: 2 });
await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
afterAll(() => database.drop());

async function owner() {
  const user = await new UserRepository(database.db.kysely).findOwner();
  if (!user) throw new Error('there is no owner');
  return user;
}

describe('idempotency keys', () => {
  test('are deleted in batches once they are older than a day', async () => {
    const { id: userId } = await owner();
    const executions = new ExecutionRepository(database.db);
    const start = anExecution(await aStoredWorkflow(database.db), { userId });
    for (const key of ['old 1', 'old 2', 'old 3', 'young']) await executions.startOnce(start, { userId, path: '/p', key });
    await sql`UPDATE idempotency_keys SET created_at = now() - interval '25.1 hours' WHERE key LIKE 'old%'`.execute(
      database.db.kysely,
    );
    expect([await expired.deleteIdempotencyKeys(), await expired.deleteIdempotencyKeys()]).toEqual([true, false]);
    const rows = await database.db.kysely.selectFrom('idempotency_keys').select('key').execute();
    expect(rows).toEqual([{ key: 'young' }]);
    expect((await executions.startOnce(start, { userId, path: '/p', key: 'young' })).repeated).toBe(true);
  });
});

describe('test URLs', () => {
  test('are kept for an hour, so that users can see what their request started', async () => {
    const { id: userId } = await owner();
    const testUrls = new TestUrlRepository(database.db);
    const opened = [];
    for (let i = 0; i < 4; i++) {
      const { workflowId, graphHash } = await aStoredWorkflow(database.db);
      await testUrls.open({ workflowId, graphHash, userId, triggers: [] });
      opened.push(workflowId);
    }
    const [young, ...old] = opened;
    await database.db.kysely
      .updateTable('test_urls')
      .set({ expires_at: sql`now() - interval '1.1 hours'` })
      .where('workflow_id', 'in', old)
      .execute();
    expect([await expired.deleteTestUrls(), await expired.deleteTestUrls()]).toEqual([true, false]);
    expect(await database.db.kysely.selectFrom('test_urls').select('workflow_id').execute()).toEqual([{ workflow_id: young }]);
  });
});

describe('idempotency keys of webhooks', () => {
  test('are deleted in batches once they are older than a day', async () => {
    const { workflowId, graphHash } = await anActiveWorkflow(database.db);
    const starts = new WebhookStartRepository(database.db);
    const start = { workflowId, graphHash, nodeName: 'Webhook', spec: aWebhookSpec, input: {}, files: [] };
    for (const key of ['old 1', 'old 2', 'old 3', 'young']) await starts.start({ ...start, key });
    await sql`UPDATE webhook_keys SET created_at = now() - interval '25.1 hours' WHERE key LIKE 'old%'`.execute(
      database.db.kysely,
    );
    expect([await expired.deleteWebhookKeys(), await expired.deleteWebhookKeys()]).toEqual([true, false]);
    expect((await starts.start({ ...start, key: 'young' })).repeated).toBe(true);
    expect((await starts.start({ ...start, nodeName: 'Other', key: 'young' })).repeated).toBe(false);
  });
});

describe('consents', () => {
  test('are deleted after they expire', async () => {
    const { id: userId, personalProjectId: projectId } = await owner();
    const empty = Buffer.alloc(0);
    const sealed = { version: 1, keyId: 'k', wrappedDek: empty, iv: empty, ciphertext: empty, tag: empty };
    const credential = { id: randomId(), projectId, name: 'c', type: 't', isGlobal: false, isResolvable: false, sealed };
    await new CredentialRepository(database.db.kysely).create(credential);
    const consents = new CredentialConsentRepository(database.db.kysely);
    const keys = new ApiKeyRepository(database.db.kysely);
    const { id: keyId } = await keys.create({ userId, label: 'k', rawKey: generateApiKey(), scopes: [], expiresAt: null });
    const consent = { credentialId: credential.id, userId, keyId, sealed };
    await consents.begin(Buffer.from('over'), consent, -1);
    await consents.begin(Buffer.from('waiting'), consent, 60_000);
    expect(await expired.deleteConsents()).toBe(false);
    expect(await consents.take(Buffer.from('over'))).toBeUndefined();
    expect(await consents.take(Buffer.from('waiting'))).toMatchObject({ credentialId: credential.id, userId });
    expect(await consents.take(Buffer.from('waiting'))).toBeUndefined();
  });
});

describe('entries of the audit log', () => {
  const log = () => new AuditRepository(database.db.kysely).list({ actor: 'a' }, { limit: 100 });
  const insert = (action: string, days: number) =>
    sql`INSERT INTO audit_log (actor, action, outcome, at) VALUES ('a', ${action}, 'success', now() - make_interval(days => ${days}))`.execute(
      database.db.kysely,
    );

  beforeEach(async () => {
    for (const days of [40, 31, 31, 29, 0]) await insert(`${days} days ago`, days);
  });

  test('are deleted in batches after their retention time', async () => {
    expect([await expired.deleteAuditLines(30), await expired.deleteAuditLines(30)]).toEqual([true, false]);
    expect((await log()).map(({ action }) => action)).toEqual(['0 days ago', '29 days ago']);
  });

  test('are kept for a day with any transaction setting, and permanently without one', async () => {
    const { kysely } = database.db;
    await expect(sql`DELETE FROM audit_log WHERE at < now() - interval '30 days'`.execute(kysely)).rejects.toThrow(
      'append-only',
    );
    const all = kysely.transaction().execute(async (tx) => {
      await sql`SELECT set_config('sluice.audit_retention_days', '0', true)`.execute(tx);
      await sql`DELETE FROM audit_log`.execute(tx);
    });
    await expect(all).rejects.toThrow('append-only');
  });
});
