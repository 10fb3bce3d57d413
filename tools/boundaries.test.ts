import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';

const checker = join(import.meta.dirname, 'boundaries');
const root = mkdtempSync(join(tmpdir(), 'boundaries-'));
afterAll(() => rmSync(root, { recursive: true }));

const packages = ['domain', 'db', 'queue', 'engine'];

/** Returns the violations in a repository with these files. */
function violationsIn(texts: Record<string, string>): Violation[] {
  const write = (path: string, text: string) => {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const name of packages) {
    const path = `packages/${name}`;
    write(`${path}/package.json`, JSON.stringify({ name: `@sluice/${name}`, exports: { '.': { source: './src/index.ts' } } }));
    write(`${path}/src/index.ts`, 'export const x = 1; export type X = number;');
    mkdirSync(join(root, 'node_modules/@sluice'), { recursive: true });
    symlinkSync(join(root, path), join(root, 'node_modules/@sluice', name));
  }
  for (const [path, text] of Object.entries(texts)) write(path, text);
  const command = [join(checker, 'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')];
  command.push(
    '--config',
    join(checker, 'rules.mjs'),
    '--output-type',
    'json',
    ...['packages', 'apps'].filter((folder) => existsSync(join(root, folder))),
  );
  const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  if (stdout === '') throw new Error(stderr);
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
}

interface Violation {
  rule: { name: string };
  from: string;
  to: string;
}

/** Files by test. All are in one repository, because starting the checker takes a second. */
const files = {
  imports: {
    'packages/db/src/a.ts': "import { x } from '@sluice/queue';",
    'packages/db/src/b.ts': "import type { X } from '@sluice/queue';",
    'packages/db/src/c.ts': "export * from '@sluice/domain';",
    'packages/db/src/d.ts': "const x = await import('@sluice/domain/src/index.ts');",
    'packages/db/src/e.ts': "import '../../domain/src/index.ts';",
    'packages/db/src/sub/f.ts': "import '../index.ts';",
    'packages/db/tests/a.int.test.ts': "import { x } from '@sluice/queue';",
  },
  places: {
    'packages/engine/src/a.ts': "import { spawn } from 'node:child_process';",
    'packages/engine/src/b.ts': "import { Worker } from 'worker_threads';",
    'packages/engine/src/c.ts': "await using file = open(); import https from 'node:https';",
    'packages/engine/src/d.ts': "import vm from 'node:vm';",
    'packages/watchdog/src/a.ts': "import { Worker } from 'node:worker_threads';",
  },
  folders: {
    'packages/db/src/a/one.ts': "import '../b/one.ts'; import '../root.ts';",
    'packages/db/src/b/one.ts': "import type { X } from '../c/one.ts';",
    'packages/db/src/c/one.ts': "import type { X } from '../a/one.ts';",
    'packages/db/src/c/one.test.ts': "import '../d/one.ts';",
    'packages/db/src/d/one.ts': "import '../c/one.ts'; import './inner/one.ts';",
    'packages/db/src/d/inner/one.ts': "import '../one.ts'; import '../../shared/one.ts';",
    'packages/db/src/shared/one.ts': "import './inner/one.ts';",
    'packages/db/src/shared/inner/one.ts': '',
    'packages/db/src/root.ts': "import './a/one.ts';",
  },
  mcp: {
    'apps/api/package.json': '{ "name": "@sluice/api" }',
    'apps/api/src/app.ts': "import './mcp/mcp-router.ts';",
    'apps/api/src/routes.ts': "import { tools } from './mcp/tools.ts';",
    'apps/api/src/mcp/mcp-router.ts': "import { respond } from './mcp-endpoint.ts'; await import('./mcp-endpoint.ts');",
    'apps/api/src/mcp/mcp-endpoint.ts': "import { tools } from './tools.ts'; export const respond = tools;",
    'apps/api/src/mcp/tools.ts': 'export const tools = 1;',
  },
  commands: {
    'apps/cli/package.json': '{ "name": "@sluice/cli" }',
    'apps/cli/src/commands/a.ts': "import { y } from '../administration/run.ts';",
    'apps/cli/src/commands/b.ts': "import { x } from '@sluice/db';",
    'apps/cli/src/commands/c.ts':
      "import type { Y } from '../administration/run.ts'; await import('../administration/run.ts');",
    'apps/cli/src/administration/run.ts': 'export const y = 1; export type Y = number;',
  },
};

const allViolations = violationsIn(Object.assign({}, ...Object.values(files)));

/** Returns the violations by these files and their folders, as `rule: path → path`. */
function violationsOf(ownFiles: Record<string, string>): string[] {
  const own = allViolations.filter(({ from }) =>
    Object.keys(ownFiles).some((path) => path === from || path.startsWith(`${from}/`)),
  );
  return own.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).toSorted();
}

test('docs/reference/packages.md lists the same allowed imports as the rules', async () => {
  const { mayImport } = (await import(join(checker, 'rules.mjs'))) as { mayImport: Record<string, string> };
  const page = readFileSync(new URL('../docs/reference/packages.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(?:packages|apps)\/(.+)` \|.*\| (.+) \|$/gm)];
  const documented = new Map(rows.map(([, name = '', imports = '']) => [name, namesIn(imports)]));
  for (const name of documented.keys()) if (name.startsWith('api`, ')) documented.delete(name);
  expect(documented.get('test-support')).toEqual(['any']);
  documented.delete('test-support');
  const { api, worker, ...listed } = mayImport;
  expect(worker).toBe(api);
  expect(Object.fromEntries(documented)).toEqual(
    Object.fromEntries(Object.entries(listed).map(([name, imports]) => [name, namesIn(imports.replaceAll(' ', ', '))])),
  );
});

/** The names in a list, sorted, without remarks. */
function namesIn(list: string): string[] {
  return list
    .replaceAll(/ \([^)]*\)| in the .*$|`/g, '')
    .split(/[,;] */)
    .filter((name) => name !== '' && name !== '–')
    .toSorted();
}

test('packages import only the allowed packages, by name, and only their exports', () => {
  const violations = violationsOf(files.imports);
  expect(violations).toEqual([
    'by-name-only: packages/db/src/e.ts → packages/domain/src/index.ts',
    'imports-of-db: packages/db/src/a.ts → packages/queue/src/index.ts',
    'imports-of-db: packages/db/src/b.ts → packages/queue/src/index.ts',
    'not-found: packages/db/src/d.ts → @sluice/domain/src/index.ts',
  ]);
});

test('restricted modules are imported only where they are allowed', () => {
  const violations = violationsOf(files.places);
  expect(violations).toEqual([
    'restricted-module: packages/engine/src/a.ts → child_process',
    'restricted-module: packages/engine/src/b.ts → worker_threads',
    'restricted-module: packages/engine/src/c.ts → https',
    'restricted-module: packages/engine/src/d.ts → vm',
  ]);
});

test('folders import each other in one direction only; files at the root of a package and tests are exempt', () => {
  const violations = violationsOf(files.folders);
  expect(violations).toEqual([
    'folder-cycle: packages/db/src/a → packages/db/src/b',
    'folder-cycle: packages/db/src/b → packages/db/src/c',
    'folder-cycle: packages/db/src/c → packages/db/src/a',
    'folder-imports-parent: packages/db/src/d/inner/one.ts → packages/db/src/d/one.ts',
    'shared-imports-child: packages/db/src/shared/one.ts → packages/db/src/shared/inner/one.ts',
  ]);
});

test('the code of the MCP server is imported lazily', () => {
  const violations = violationsOf(files.mcp);
  expect(violations).toEqual([
    'mcp-loads-late: apps/api/src/mcp/mcp-router.ts → apps/api/src/mcp/mcp-endpoint.ts',
    'mcp-loads-late: apps/api/src/routes.ts → apps/api/src/mcp/tools.ts',
  ]);
});

test('the code of a CLI command is imported lazily', () => {
  const violations = violationsOf(files.commands);
  expect(violations).toEqual([
    'command-loads-late: apps/cli/src/commands/a.ts → apps/cli/src/administration/run.ts',
    'command-loads-late: apps/cli/src/commands/b.ts → packages/db/src/index.ts',
  ]);
});
