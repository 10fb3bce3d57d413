import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type HistoryOwner, SeenHistoryRepository } from '@sluice/db';
import { longestBusy, testDatabase } from '@sluice/test-support';
import { sql } from 'kysely';
import { aStoredWorkflow } from './a-workflow.ts';

let owner: HistoryOwner;

const database = await testDatabase();
const history = new SeenHistoryRepository(database.db.kysely);
beforeEach(async () => {
  owner = { workflowId: (await aStoredWorkflow(database.db)).workflowId, scope: '' };
});
afterAll(() => database.drop());

describe('values', () => {
  test('are new once, even within one call and for any text', async () => {
    expect(await history.add(owner, ['a', 'b\u0000', 'a'], 10)).toEqual([true, true, false]);
    expect(await history.add(owner, ['b\u0000', 'c', 'A'], 10)).toEqual([false, true, true]);
    expect(await history.add(owner, [], 10)).toEqual([]);
  });

  test('are new to exactly one of many concurrent executions', async () => {
    const values = Array.from({ length: 50 }, (_, n) => `v${n}`);
    const orders = [values, values.toReversed(), values.toSorted(), values.toReversed()];
    const responses = await Promise.all(orders.map((order) => history.add(owner, order, 1_000)));
    const seenFirst = responses.flatMap((response, i) => (orders[i] ?? []).filter((_, at) => response[at]));
    expect(seenFirst.toSorted()).toEqual(values.toSorted());
  });

  test('are forgotten above the limit, oldest first', async () => {
    await history.add(owner, ['a', 'b', 'c'], 3);
    await history.add(owner, ['d'], 3);
    expect(await history.add(owner, ['c', 'b', 'a'], 10)).toEqual([false, false, true]);
  });

  test('in a list of 50,000 do not block the event loop, and most are forgotten again', async () => {
    const values = Array.from({ length: 50_000 }, (_, n) => `v${n}`);
    for (let round = 0; round < 3; round += 1) {
      let isNew: boolean[] = [];
      const add = async () => (isNew = await history.add(owner, values, 1_000));
      expect(await longestBusy(add)).toBeLessThan(250);
      expect(isNew.filter(Boolean)).toHaveLength(round === 0 ? 50_000 : 49_000);
    }
  });

  test('of different scopes and workflows are separate and can be cleared separately', async () => {
    const node = { ...owner, scope: 'id:1' };
    const other = { workflowId: (await aStoredWorkflow(database.db)).workflowId, scope: '' };
    for (const each of [owner, node, other]) expect(await history.add(each, ['a'], 10)).toEqual([true]);
    await history.clear(owner);
    expect(await history.add(owner, ['a'], 10)).toEqual([true]);
    expect(await history.add(node, ['a'], 10)).toEqual([false]);
  });
});

describe('marks', () => {
  test('accept greater values and keep the greatest', async () => {
    expect(await history.passMark(owner, 'number', [3, 1.5])).toEqual([true, true]);
    expect(await history.passMark(owner, 'number', [3, 4, 2])).toEqual([false, true, false]);
    expect(await history.passMark(owner, 'number', [1])).toEqual([false]);
    expect(await history.passMark(owner, 'number', [4.5])).toEqual([true]);
    expect(await history.passMark(owner, 'date', [1])).toEqual([true]);
  });

  test('accept a value in only one of several concurrent executions', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => history.passMark(owner, 'number', [7])));
    expect(responses.flat().filter(Boolean)).toHaveLength(1);
  });

  test('are deleted with the values of their scope', async () => {
    await history.passMark(owner, 'number', [7]);
    await history.clear(owner);
    expect(await history.passMark(owner, 'number', [7])).toEqual([true]);
  });
});

test('a history is deleted with its workflow', async () => {
  await history.add(owner, ['a'], 10);
  await history.passMark(owner, 'number', [1]);
  await database.db.kysely.deleteFrom('workflows').where('id', '=', owner.workflowId).execute();
  for (const table of ['seen_values', 'seen_marks'] as const) {
    expect(
      await database.db.kysely.selectFrom(table).selectAll().where('workflow_id', '=', owner.workflowId).execute(),
    ).toEqual([]);
  }
});

describe('a call that is repeated because its reply was lost', () => {
  /** A transaction that settles like the promise. */
  const transact = (ending: Promise<void>) => {
    const { promise: id, resolve } = Promise.withResolvers<string>();
    const ended = database.db.kysely.transaction().execute(async (tx) => {
      const { rows } = await sql<{ id: string }>`SELECT pg_current_xact_id()::text AS id`.execute(tx);
      resolve(rows[0]?.id ?? '');
      await ending;
    });
    return { id, ended: ended.catch(() => undefined) };
  };

  test('reports the same values as new', async () => {
    const [adding, passing] = [{}, {}];
    for (let call = 0; call < 2; call += 1) {
      expect(await history.add(owner, ['a', 'b', 'a'], 10, adding)).toEqual([true, true, false]);
      expect(await history.passMark(owner, 'number', [3, 4], passing)).toEqual([true, true]);
    }
    expect(await history.add(owner, ['a', 'c'], 10, {})).toEqual([false, true]);
    expect(await history.passMark(owner, 'number', [4, 5], {})).toEqual([false, true]);
  });

  test('adds values whose commit was rolled back or lost in a failover', async () => {
    const rolledBack = transact(Promise.reject(new Error('no')));
    await rolledBack.ended;
    for (const transactionId of [await rolledBack.id, '9999999999999']) {
      const attempt = { transactionId, result: new Set<string>() };
      expect(await history.add(owner, [transactionId], 10, { attempt })).toEqual([true]);
    }
  });

  test('waits for a commit in progress', async () => {
    const { promise: ending, resolve: end } = Promise.withResolvers<void>();
    const running = transact(ending);
    const attempt = { transactionId: await running.id, result: new Set<string>() };
    const repeated = history.add(owner, ['a'], 10, { attempt });
    await expect(repeated).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    end();
    await running.ended;
  });
});
