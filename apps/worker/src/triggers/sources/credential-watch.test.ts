import { expect, test } from '@jest/globals';
import type { CredentialUseRepository } from '@sluice/db';
import { createLogger } from '@sluice/logger';
import { CredentialWatch } from './credential-watch.ts';

type FindUnusable = CredentialUseRepository['findUnusable'];

const logger = createLogger({ name: 'test', level: 'silent' });

/** A watch whose database refuses some credentials. */
function aWatch(refusedIds: readonly string[]) {
  const statements: string[][] = [];
  const findUnusable: FindUnusable = async (uses) => {
    statements.push(uses.map(({ id, workflowId }) => `${workflowId} ${id}`));
    return new Map(uses.flatMap(({ id }, index) => (refusedIds.includes(id) ? [[index, undefined] as const] : [])));
  };
  return { watch: new CredentialWatch({ credentialUses: { findUnusable }, logger }), statements };
}

const holding = (...ids: string[]) => ({
  opened: () => ids.map((id) => ({ id, type: 'httpBasicAuth' })),
  assertUsable: ({ id }: { id: string }) => {
    throw new Error(`refused ${id}`);
  },
});

test('a thousand listeners are checked with one statement, and listeners that lost access end', async () => {
  const { watch, statements } = aWatch(['c7', 'shared']);
  const refusals: string[] = [];
  const { signal } = new AbortController();
  const refusedOf = (workflowId: string) => (error: unknown) => refusals.push(`${workflowId} ${(error as Error).message}`);
  for (let at = 0; at < 1_000; at += 1) {
    const workflowId = `w${at}`;
    watch.watch({ workflowId, credentials: holding(`c${at}`), refused: refusedOf(workflowId) }, signal);
  }
  watch.watch({ workflowId: 'last', credentials: holding('own', 'shared'), refused: refusedOf('last') }, signal);
  await watch.check();
  expect(statements.map((uses) => uses.length)).toEqual([1_002]);
  expect(refusals).toEqual(['w7 refused c7', 'last refused shared']);
});

test('a listener that has ended is not checked, and no statement runs without listeners', async () => {
  const { watch, statements } = aWatch([]);
  const ending = new AbortController();
  const credentials = holding('c');
  watch.watch({ workflowId: 'w', credentials, refused: () => undefined }, ending.signal);
  ending.abort();
  watch.watch({ workflowId: 'late', credentials, refused: () => undefined }, ending.signal);
  await watch.check();
  expect(statements).toEqual([]);
});
