import { describe, expect, test } from '@jest/globals';
import { findCycle, findViolations, folderArrows, rules } from './boundaries.ts';

const check = (path: string, text: string) => findViolations([{ path, text }], rules);

describe('imports', () => {
  test('an import that the table does not list is a violation', () => {
    expect(check('packages/db/src/a.ts', "import { x } from '@sluice/queue';")).toEqual([
      'packages/db/src/a.ts: db may not import queue',
    ]);
    expect(check('packages/db/src/a.ts', "export * from '@sluice/domain';")).toEqual([]);
  });

  test("another package's files cannot be imported by path or by a name with a path", () => {
    expect(check('packages/db/src/a.ts', "import '../../domain/src/ids.ts';")).toHaveLength(1);
    expect(check('packages/db/src/sub/a.ts', "import '../ids.ts';")).toEqual([]);
    expect(check('apps/api/src/a.ts', "const x = await import('@sluice/domain/src/ids.ts');")).toHaveLength(1);
  });

  test('tests may import any package', () => {
    expect(check('packages/db/tests/a.int.test.ts', "import { testDatabase } from '@sluice/test-support';")).toEqual([]);
  });
});

describe('restricted modules', () => {
  test.each([
    ['packages/engine/src/a.ts', "import { spawn } from 'node:child_process';"],
    ['packages/engine/src/a.ts', "import { Worker } from 'worker_threads';"],
    ['packages/nodes-base/src/a.ts', "import https from 'node:https';"],
    ['packages/nodes-base/src/a.ts', "await fetch('http://x');"],
    ['packages/sandbox/src/a.ts', "import vm from 'node:vm';"],
    ['packages/sandbox/src/a.ts', "new Function('return 1')();"],
    ['apps/worker/src/a.ts', "eval('1');"],
  ])('%s must not contain: %s', (path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });

  test.each([
    'sql.raw(name)',
    `sql.raw(\`DROP TABLE \${name}\`)`,
    "sql.raw('DROP TABLE ' + name)",
    'sql.lit(value)',
    'sql.raw<string>(name)',
    'CompiledQuery.raw(text, values)',
    'names.map(sql.raw)',
    "sql['raw'](name)",
    'const { raw } = sql;',
    "import { sql as s } from 'kysely';",
    'RawNode.createWithSql(name)',
  ])('SQL is written out: %s', (text) => {
    expect(check('packages/db/src/repositories/a.ts', text)).toEqual([
      'packages/db/src/repositories/a.ts: uses SQL that is not written out, which is not for this place',
    ]);
    expect(check('packages/db/src/migrations/a.ts', text)).toEqual([]);
  });

  test.each([
    `sql\`SELECT \${value}, \${sql.ref(column)} FROM \${sql.table(name)}\``,
    "sql.raw('DESC')",
    'sql.raw(`DESC`)',
    'sql.lit(30_000)',
    "CompiledQuery.raw('SELECT 1', [])",
  ])('SQL with values as parameters is allowed: %s', (text) => {
    expect(check('packages/db/src/repositories/a.ts', text)).toEqual([]);
  });

  test('words in comments are not uses', () => {
    expect(check('packages/engine/src/a.ts', '// never eval(x)\n/** new Function is refused */\nexport const a = 1;')).toEqual(
      [],
    );
  });
});

test('the table has no cycle, and a cycle would be detected', () => {
  expect(findCycle(rules.arrows)).toBeUndefined();
  expect(findCycle({ a: ['b'], b: ['c'], c: ['a'] })).toEqual(['a', 'b', 'c', 'a']);
});

test('folders of a package that import each other are a cycle; the files at its root are exempt', () => {
  const file = (path: string, imported: string) => ({ path, text: `import { x } from '${imported}';` });
  const there = file('apps/api/src/http/a.ts', '../audit/b.ts');
  const shared = file('apps/api/src/http/c.ts', '../services.ts');
  const root = file('apps/api/src/services.ts', './audit/b.ts');
  expect(folderArrows([there, shared, root])).toEqual({ 'apps/api/src/http': ['apps/api/src/audit'] });
  const back = { path: 'apps/api/src/audit/b.ts', text: "import type { Y } from '../http/a.ts';" };
  expect(findCycle(folderArrows([there, back]))).toHaveLength(3);
  const test = { ...back, path: 'apps/api/src/audit/b.test.ts' };
  expect(findCycle(folderArrows([there, test]))).toBeUndefined();
});
