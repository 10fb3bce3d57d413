import { describe, expect, test } from '@jest/globals';
import { findRestrictedCode } from './restricted-code.ts';

const check = (path: string, text: string) => findRestrictedCode([{ path, text }]);

describe('restricted code', () => {
  test.each([
    ['packages/nodes-base/src/a.ts', "await fetch('http://x');"],
    ['packages/sandbox/src/a.ts', "new Function('return 1')();"],
    ['apps/worker/src/a.ts', "eval('1');"],
    ['apps/api/src/a.ts', 'log(request.ip);'],
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
  ])('dynamic SQL is allowed only in migrations: %s', (text) => {
    expect(check('packages/db/src/users/a.ts', text)).toEqual([
      'packages/db/src/users/a.ts: uses dynamic SQL, which is not allowed here',
    ]);
    expect(check('packages/db/src/migrations/a.ts', text)).toEqual([]);
  });

  test.each([
    `sql\`SELECT \${value}, \${sql.ref(column)} FROM \${sql.table(name)}\``,
    "sql.raw('DESC')",
    'sql.raw(`DESC`)',
    'sql.lit(30_000)',
    "CompiledQuery.raw('SELECT 1', [])",
  ])('SQL with parameters is allowed: %s', (text) => {
    expect(check('packages/db/src/users/a.ts', text)).toEqual([]);
  });

  test.each(['const name = String(value);', "values.map(String).join(' ')"])(
    'values of items are not converted with `String`, which throws for some of them: %s',
    (text) => {
      for (const name of ['nodes-ai', 'nodes-base', 'nodes-services'])
        expect(check(`packages/${name}/src/a.ts`, text)).toHaveLength(1);
      expect(check('packages/engine/src/a.ts', text)).toEqual([]);
    },
  );

  test('comments are ignored', () => {
    expect(check('packages/engine/src/a.ts', '// never eval(x)\n/** new Function is refused */\nexport const a = 1;')).toEqual(
      [],
    );
  });
});
