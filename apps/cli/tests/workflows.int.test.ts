import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  AuditRepository,
  ensureBootstrap,
  ProjectRepository,
  TagRepository,
  UserRepository,
  WorkflowRepository,
} from '@sluice/db';
import { anUnknownComparison, testDatabase } from '@sluice/test-support';
import { exitCodeOf, exitCodes } from '../src/exit-codes.ts';
import { buildProgram } from '../src/program.ts';

const everywhere = new Access('all');
const saved = { ...process.env };
let folder: string;

const database = await testDatabase();
const workflows = new WorkflowRepository(database.db.kysely);
await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-workflows-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));
afterAll(async () => {
  process.env = saved;
  await database.drop();
});

interface Printed {
  lines: string[];
  warnings: string[];
  error?: Error;
}

async function sluice(...args: string[]): Promise<Printed> {
  process.env = { ...saved, DATABASE_URL: database.url };
  const printed: Printed = { lines: [], warnings: [] };
  const terminal = {
    line: (text: string) => void printed.lines.push(text),
    warn: (text: string) => void printed.warnings.push(text),
  };
  try {
    await buildProgram(terminal)
      .exitOverride()
      .parseAsync(['workflows', ...args], { from: 'user' });
  } catch (error) {
    printed.error = error as Error;
  }
  return printed;
}

async function aFile(name: string, content: unknown): Promise<string> {
  const path = join(folder, name);
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

function aFileOf(id: string, rest: object = {}) {
  const nodes = [
    { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} },
    { name: 'Set', type: 'n8n-nodes-base.set', typeVersion: 3.4, position: [200, 0], parameters: {} },
  ];
  const connections = { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } };
  return { id, name: `Workflow ${id}`, active: true, nodes, connections, settings: { executionOrder: 'v1' }, ...rest };
}

describe('workflows import', () => {
  test('stores the workflows of a folder, inactive, with their tags, in the owner’s project; a second import updates them', async () => {
    await aFile('a/one.json', aFileOf('one', { tags: [{ id: 'x', name: 'billing' }] }));
    await aFile('two.json', [aFileOf('two'), aFileOf('three')]);
    await aFile('notes.txt', 'not a workflow');
    const { lines, warnings, error } = await sluice('import', folder);
    expect([warnings, error]).toEqual([[], undefined]);
    expect(lines.slice(0, 3)).toEqual(['one', 'two', 'three'].map((id) => `created  ${id}  Workflow ${id}`));
    const one = await workflows.get('one', everywhere);
    const owner = await new UserRepository(database.db.kysely).findOwner();
    expect(one).toMatchObject({ active: false, projectId: owner?.personalProjectId });
    expect(await new TagRepository(database.db.kysely).namesOf(one.tags)).toEqual(['billing']);

    const again = await sluice('import', await aFile('one.json', aFileOf('one', { name: 'Renamed' })), '--json');
    expect(JSON.parse(again.lines.join('\n')).workflows).toMatchObject([{ status: 'updated', id: 'one', name: 'Renamed' }]);
    expect((await workflows.get('one', everywhere)).name).toBe('Renamed');
    const log = await new AuditRepository(database.db.kysely).list({}, { limit: 4 });
    expect(log.map(({ action, objectId }) => [action, objectId])).toEqual(
      ['one', 'three', 'two', 'one'].map((id) => ['workflow.import', id]),
    );
  });

  test('reports changes, imports what it can, and ends with an error that counts the failed imports', async () => {
    const dangling = { Start: { main: [[{ node: 'Gone', type: 'main', index: 0 }]] } };
    await aFile('1-dangling.json', aFileOf('dangling', { connections: dangling }));
    await aFile('2-broken.json', '{"nodes":');
    await aFile(
      '3-unknown.json',
      aFileOf('unknown', { nodes: [{ ...aFileOf('x').nodes[0], type: 'x.gone' }], connections: {} }),
    );
    const { lines, warnings, error } = await sluice('import', folder);
    expect(warnings).toEqual([
      expect.stringMatching(/1-dangling\.json: the connection from "Start" to "Gone", which is not a node: dropped$/),
      expect.stringMatching(/2-broken\.json: not imported: it is not valid JSON$/),
    ]);
    expect(error?.message).toBe('1 of 3 imports failed');
    expect(lines.slice(2)).toEqual([
      'parsed           2 of 3 files, 2 workflows',
      'importable       2  (100.0 %)',
      'fully supported  1  (50.0 %)',
      'partly supported 0  (0.0 %)',
      'missing node types: workflows, nodes',
      '       1       1  x.gone',
    ]);
  });

  test('accepts workflows and their error workflows in any order, and rejects a missing error workflow', async () => {
    const naming = (errorWorkflow: string) => ({ settings: { executionOrder: 'v1', errorWorkflow } });
    await aFile('1.json', aFileOf('first', naming('second')));
    await aFile('2.json', aFileOf('second', naming('third')));
    await aFile('3.json', aFileOf('third', naming('third')));
    await aFile('4.json', aFileOf('fourth', naming('nowhere')));
    const { lines, warnings, error } = await sluice('import', folder);
    expect(lines.slice(0, 3)).toEqual(['third', 'second', 'first'].map((id) => `created  ${id}  Workflow ${id}`));
    expect(warnings).toEqual([
      expect.stringMatching(/4\.json: not imported: \/settings\/errorWorkflow no workflow has this ID$/),
    ]);
    expect(error?.message).toBe('1 of 4 imports failed');
  });

  test('does not let one file overwrite the workflow of another', async () => {
    const [first, second] = [aFileOf('same', { name: 'First' }), aFileOf('same', { name: 'Second' })];
    const { lines, warnings } = await sluice('import', await aFile('both.json', [first, second]));
    expect((await workflows.get('same', everywhere)).name).toBe('First');
    expect(lines[1]).toMatch(/^created {2}\w{16} {2}Second$/);
    expect(warnings).toEqual([expect.stringContaining('this one got a new ID')]);
  });

  test('escapes terminal control sequences in names', async () => {
    const { lines } = await sluice('import', await aFile('x.json', aFileOf('esc', { name: 'red \u001b[31m' })));
    expect(lines.join('')).not.toContain('\u001b');
  });

  test('reports a missing project, and imports nothing', async () => {
    const { error } = await sluice('import', await aFile('x.json', aFileOf('nowhere')), '--project', 'gone');
    expect(error?.message).toBe('project gone does not exist');
    await expect(workflows.get('nowhere', everywhere)).rejects.toThrow('does not exist');
  });

  test('an updated workflow keeps its static data and tags unless the file contains them', async () => {
    await sluice('import', await aFile('x.json', aFileOf('polling', { staticData: { seen: 7 }, tags: ['mail'] })));
    const { tags } = await workflows.get('polling', everywhere);
    for (const rest of [{}, { staticData: null }]) {
      await sluice('import', await aFile('x.json', aFileOf('polling', { name: 'Changed', ...rest })));
      expect(await workflows.get('polling', everywhere)).toMatchObject({ name: 'Changed', staticData: { seen: 7 }, tags });
    }
    await sluice('import', await aFile('x.json', aFileOf('polling', { staticData: {}, tags: [] })));
    expect(await workflows.get('polling', everywhere)).toMatchObject({ staticData: {}, tags: [] });
  });
});

describe('workflows export', () => {
  test('writes files that import reads back without changes', async () => {
    await sluice('import', await aFile('x.json', aFileOf('trip', { tags: ['t'], staticData: { n: 1 }, meta: { m: 1 } })));
    const before = await workflows.get('trip', everywhere);
    const { lines } = await sluice('export', 'trip');
    const { lines: again } = await sluice('import', await aFile('back.json', lines.join('\n')), '--json');
    expect(JSON.parse(again.join('\n')).workflows).toMatchObject([{ status: 'updated', id: 'trip', warnings: [] }]);
    const after = await workflows.get('trip', everywhere);
    expect(after).toMatchObject({ versionId: before.versionId, graph: before.graph, tags: before.tags, staticData: { n: 1 } });
  });

  test('prints an array element by element, and an empty array', async () => {
    await sluice('import', await aFile('one.json', aFileOf('one')), await aFile('two.json', aFileOf('two')));
    const { lines } = await sluice('export', 'one', 'two');
    const written = JSON.parse(lines.join('\n'));
    expect(written.map(({ id }: { id: string }) => id)).toEqual(['one', 'two']);
    expect(lines.join('\n')).toBe(JSON.stringify(written, undefined, 2));
    expect(lines.length).toBeGreaterThan(2);
    const { id } = await new ProjectRepository(database.db.kysely).createTeam({ name: 'without workflows' });
    expect((await sluice('export', '--project', id)).lines).toEqual(['[]']);
  });

  test('writes one file per workflow', async () => {
    const output = await mkdtemp(join(tmpdir(), 'sluice-export-'));
    await sluice('export', '--output', output);
    expect(JSON.parse(await readFile(join(output, 'trip.json'), 'utf8'))).toMatchObject({ id: 'trip', tags: [{ name: 't' }] });
    await rm(output, { recursive: true });
  });
});

test('workflows check reports on files without a database', async () => {
  const path = await aFile('x.json', aFileOf('checked', { nodes: [{ type: 'n8n-nodes-base.set', typeVersion: 99 }] }));
  const { lines, warnings } = await sluice('check', path, '--json');
  expect(JSON.parse(lines.join('\n'))).toMatchObject({
    importable: 1,
    supported: 0,
    missingNodeTypes: [{ name: 'n8n-nodes-base.set 99', workflows: 1, nodes: 1 }],
  });
  expect(warnings).toHaveLength(2);
});

test.each([
  [
    'an array of conditions',
    { typeVersion: 2.2, parameters: { conditions: [{ field: 'a', op: 'eq', value: 1 }] } },
    'conditions',
  ],
  [
    'the format of version 1 and no version',
    { parameters: { conditions: { number: [{ value1: 1, value2: 2 }] } } },
    'conditions.number',
  ],
  [
    'an unknown operator',
    { typeVersion: 2.2, parameters: { conditions: { conditions: [anUnknownComparison] } } },
    'conditions.conditions.0.operator.operation',
  ],
])('check reports a workflow whose If node has %s as partly supported, and names the parameter', async (_, node, parameter) => {
  const nodes = [{ name: 'Check', type: 'n8n-nodes-base.if', position: [0, 0], ...node }];
  const { lines, warnings } = await sluice(
    'check',
    await aFile('if.json', aFileOf('if', { nodes, connections: {} })),
    '--json',
  );
  expect(JSON.parse(lines.join('\n'))).toMatchObject({
    importable: 1,
    supported: 0,
    partlySupported: 1,
    invalidParameters: [{ name: `n8n-nodes-base.if ${parameter.replace('.0', '')}`, workflows: 1, nodes: 1 }],
  });
  expect(warnings).toEqual([expect.stringContaining(`node "Check": the parameter "${parameter}"`)]);
});

describe('files without IDs', () => {
  const { id: _, ...unnamed } = aFileOf('x', { name: 'Without ID' });

  test('a second import updates the workflows of the first and re-creates a deleted workflow', async () => {
    const path = await aFile('unnamed.json', [unnamed, { ...unnamed, pinData: {} }, { ...unnamed, name: 'Another' }]);
    const ids = async () => {
      const { lines, error } = await sluice('import', path, '--json');
      expect(error).toBeUndefined();
      return (JSON.parse(lines.join('\n')).workflows as { id: string; status: string }[]).map(({ id, status }) => [status, id]);
    };
    const first = await ids();
    expect(first.map(([status]) => status)).toEqual(['created', 'created', 'created']);
    expect(new Set(first.map(([, id]) => id)).size).toBe(3);
    expect(await ids()).toEqual(first.map(([, id]) => ['updated', id]));

    const [, gone = ''] = first[0] ?? [];
    await workflows.delete(gone, everywhere);
    const again = await ids();
    expect(again.map(([status]) => status)).toEqual(['updated', 'created', 'updated']);
    expect(await ids()).toEqual(again.map(([, id]) => ['updated', id]));
  });

  test('--new-ids creates new workflows each time', async () => {
    const path = await aFile('unnamed.json', unnamed);
    const created = [await sluice('import', path, '--new-ids'), await sluice('import', path, '--new-ids')];
    expect(created.map(({ lines }) => lines[0]?.split('  ')[0])).toEqual(['created', 'created']);
  });
});

test('a missing path is an error that names it', async () => {
  for (const command of ['import', 'check']) {
    const { error } = await sluice(command, join(folder, 'gone.json'));
    expect(error?.message).toBe(`${join(folder, 'gone.json')} does not exist`);
  }
});

test.each(['import', 'check'])('%s of a folder without JSON files is an error that names it', async (command) => {
  await aFile('notes.txt', 'not a workflow');
  const { lines, error } = await sluice(command, folder);
  expect([lines, error?.message, exitCodeOf(error)]).toEqual([[], `${folder} contains no .json files`, exitCodes.usage]);
});

test('check fails if something is missing, and counts the problems', async () => {
  const nodes = [{ ...aFileOf('x').nodes[0], type: 'x.gone', credentials: { goneApi: { id: '1', name: 'Gone' } } }];
  await aFile('a.json', aFileOf('a', { nodes, connections: {} }));
  await aFile('b.json', 'nothing');
  const { error } = await sluice('check', folder);
  expect(error?.message).toBe('1 files without a workflow, 1 missing node types, 1 missing credential types');
});

test('export reports how many workflows it wrote and where', async () => {
  await sluice('import', await aFile('one.json', aFileOf('exported')));
  const target = join(folder, 'out');
  expect((await sluice('export', 'exported', '--output', target)).warnings).toEqual([`exported 1 workflow to ${target}`]);
  expect((await sluice('export', 'exported')).warnings).toEqual(['exported 1 workflow to standard output']);
});
