import { afterAll, describe, expect, test } from '@jest/globals';
import { testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { AuditRepository } from '../src/audit/audit-repository.ts';
import { AuditTrail, noteForAudit } from '../src/audit/audit-trail.ts';
import { ProjectRepository } from '../src/projects/project-repository.ts';
import { inTransaction } from '../src/statements/in-transaction.ts';

const database = await testDatabase();
const log = new AuditRepository(database.db.kysely);
afterAll(() => database.drop());

const actor = { actor: 'a@example.com', userId: 'u', keyId: 'k', ip: '127.0.0.1', requestId: 'r' };
const aTrail = (action: string) => new AuditTrail({ actor, action });
const linesOf = (object: string) => log.list({ object }, { limit: 10 });

describe('the audit log', () => {
  test('is written in the transaction of the action, with the resulting object', async () => {
    const trail = aTrail('project.create');
    const project = await trail.follow(() => new ProjectRepository(database.db.kysely).createTeam({ name: 'audited' }));
    expect(trail.written).toBe(true);
    const about = { objectType: 'project', objectId: project.id, objectName: 'audited', projectId: project.id };
    expect(await linesOf(project.id)).toMatchObject([{ ...actor, ...about, action: 'project.create', outcome: 'success' }]);
  });

  test('has no entry for a transaction that was rolled back', async () => {
    const trail = aTrail('thing.make');
    const act = () =>
      inTransaction(database.db.kysely, async (tx) => {
        await tx.insertInto('projects').values({ id: 'undone', name: 'undone', type: 'team', owner_id: null }).execute();
        noteForAudit({ objectId: 'undone' });
        throw new Error('no');
      });
    await expect(trail.follow(act)).rejects.toThrow('no');
    expect(trail.written).toBe(false);
    expect(await linesOf('undone')).toEqual([]);
  });

  test('makes a change fail if its entry cannot be written', async () => {
    const trail = new AuditTrail({ actor: { ...actor, ip: '\u0000' }, action: 'project.create' });
    const act = () => new ProjectRepository(database.db.kysely).createTeam({ name: 'without a line' });
    await expect(trail.follow(act)).rejects.toThrow();
    const rows = await database.db.kysely.selectFrom('projects').select('id').where('name', '=', 'without a line').execute();
    expect(rows).toEqual([]);
  });

  test('has one entry per action, even for several transactions, with the number of objects', async () => {
    const act = async () => {
      await inTransaction(database.db.kysely, async () => ['1', '2', '3']);
      await inTransaction(database.db.kysely, async () => ({ id: 'later' }));
    };
    await aTrail('batch.stop').follow(act);
    expect(await linesOf('batch')).toMatchObject([{ objectId: null, details: { count: 3 } }]);
  });

  test('separates concurrent actions', async () => {
    const act = (name: string) => () => new ProjectRepository(database.db.kysely).createTeam({ name });
    await Promise.all(['x', 'y', 'z'].map((name) => aTrail(`project.${name}`).follow(act(name))));
    for (const name of ['x', 'y', 'z']) {
      expect((await linesOf(name)).map(({ action }) => action)).toEqual([`project.${name}`]);
    }
  });

  test.each(['UPDATE audit_log SET actor = null', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'is append-only: %s',
    async (statement) => {
      await expect(sql.raw(statement).execute(database.db.kysely)).rejects.toThrow('append-only');
    },
  );

  test('can be filtered by actor, object, and time, newest first', async () => {
    const all = await log.list({}, { limit: 100 });
    expect(all.map(({ id }) => BigInt(id))).toEqual(all.map(({ id }) => BigInt(id)).sort((a, b) => Number(b - a)));
    const [newest, next] = all;
    expect(await log.list({}, { limit: 1, before: newest?.id ?? '' })).toEqual([next]);
    for (const name of ['a@example.com', 'u', 'k']) expect(await log.list({ actor: name }, { limit: 100 })).toEqual(all);
    expect(await log.list({ actor: 'nobody' }, { limit: 1 })).toEqual([]);
    expect(await log.list({ since: new Date(Date.now() + 60_000) }, { limit: 1 })).toEqual([]);
  });
});
