import { afterAll, describe, expect, test } from '@jest/globals';
import { TestUrlRepository, UserRepository } from '@sluice/db';
import { randomId } from '@sluice/domain';
import { testDatabase } from '@sluice/test-support';
import { replaceTriggers } from '../src/triggers/trigger-repository.ts';
import { anActiveWorkflow, aWebhookSpec } from './a-workflow.ts';

const database = await testDatabase();
const userId = (await new UserRepository(database.db.kysely).create({ email: 'owner@example.com', role: 'owner' })).id;
afterAll(() => database.drop());

const triggers = (paths: readonly string[]) =>
  paths.map((path) => ({ nodeName: 'Webhook', spec: { ...aWebhookSpec, path }, nextAt: null }));

async function activate(paths: readonly string[]): Promise<void> {
  const { workflowId } = await anActiveWorkflow(database.db);
  await database.db.kysely.transaction().execute((tx) => replaceTriggers(tx, workflowId, triggers(paths)));
}

async function openTestUrls(paths: readonly string[]): Promise<void> {
  const { workflowId, graphHash } = await anActiveWorkflow(database.db);
  await new TestUrlRepository(database.db).open({ workflowId, graphHash, userId, triggers: triggers(paths) });
}

const many = (count: number, pathOf: (index: number) => string) => Array.from({ length: count }, (_, index) => pathOf(index));

describe.each([
  ['activation', activate],
  ['opening of test URLs', openTestUrls],
] as const)('the %s', (_, write) => {
  test.each([
    [':a/x', ':b/x'],
    [':a/x', 'y/:b'],
    ['x/:a', 'x/y'],
    ['x/y', 'x/:a'],
    [':a/:b/x', 'y/z/:c'],
    ['x/:a/y/:b', 'x/z/:c/z'],
    ['a:b/:c', ':d/x'],
  ])('is rejected for a path %s that overlaps with the path %s of another workflow', async (wanted, present) => {
    const head = randomId();
    await write([`${head}/${present}`]);
    await expect(write([`${head}/other/than/that`, `${head}/${wanted}`])).rejects.toMatchObject({ code: 'WEBHOOK_PATH_TAKEN' });
  });

  test.each([
    [':a/x', ':b/y'],
    ['x/:a', 'y/:b'],
    [':a/x', 'y/z'],
    [':a/x', ':a'],
    [':a/:b/x', ':c/z/y'],
    ['a:b/:c', 'a:c/:d'],
    ['x/:a/y/:b', 'x/:c/z/z'],
  ])('succeeds for a path %s that does not overlap with the path %s of another workflow', async (wanted, present) => {
    const head = randomId();
    await write([`${head}/${present}`]);
    await write([`${head}/${wanted}`]);
  });

  test.each([
    ['the same parameters', (i: number) => `:id/p${i}`, (i: number) => `:id/q${i}`],
    ['parameters in other places', (i: number) => `:id/p/${i}`, (i: number) => `q${i}/:id/q`],
    ['no parameters', (i: number) => `:id/p${i}`, (i: number) => `r${i}/q${i}`],
  ])('compares 2,000 paths with 2,000 others that have %s in linear time', async (_, ofOne, ofOther) => {
    const took = async (count: number) => {
      const head = randomId();
      await write(many(count, (index) => `${head}/${ofOther(index)}`));
      const startedAt = performance.now();
      await write(many(count, (index) => `${head}/${ofOne(index)}`));
      return performance.now() - startedAt;
    };
    await took(10);
    expect(await took(2_000)).toBeLessThan(40 * (await took(200)) + 500); // quadratic time would be 100 times as long
  });
});
