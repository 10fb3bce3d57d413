import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { Access } from '../../access.ts';
import type { Database, PreparedStatement } from '../../connection/database.ts';
import { packJson } from '../../json/codec.ts';
import { ExecutionStarter } from './execution-starter.ts';

/** Accepts all starts once `until` resolves, and records the number of starts in each statement. */
function aDatabase(until?: Promise<unknown>) {
  const groups: number[] = [];
  const query = async ({ values }: PreparedStatement) => {
    const length = (values[0] as Buffer).readInt32BE(12); // of an array in the binary format
    groups.push(length);
    await until;
    return Array.from({ length }, (_, i) => ({ ord: String(i + 1), id: String(i + 1), project_id: 'p', locked: true }));
  };
  return { groups, db: { query } as unknown as Database };
}

function startAll(db: Database, text: string, count: number): Promise<string[]> {
  const starter = new ExecutionStarter(db);
  const execution = { workflowId: 'w', access: new Access('all'), graphHash: null, mode: 'manual', userId: null } as const;
  const starts = Array.from({ length: count }, () => ({
    ...execution,
    input: { trigger: { node: 'Start', items: [{ json: { text } }] } },
  }));
  return Promise.all(starts.map((start) => starter.start(start)));
}

test('concurrent starts share a statement unless their inputs are large', async () => {
  const small = aDatabase();
  expect(await startAll(small.db, 'small', 50)).toHaveLength(50);
  expect(small.groups).toEqual([50]);

  const incompressible = randomBytes(3 * 1024 * 1024).toString('base64');
  const allWait = Promise.withResolvers<void>();
  const large = aDatabase(allWait.promise);
  const started = startAll(large.db, incompressible, 5);
  for (let i = 0; i < 2; i++) await packJson({ text: incompressible });
  allWait.resolve();
  expect(await started).toHaveLength(5);
  expect(Math.max(...large.groups)).toBe(2);
});
