import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { defineCredentialType } from '@sluice/node-sdk';
import { loadNodePackages } from './load-node-packages.ts';
import { shoutSource, writePackage } from './testing/write-package.ts';
import { UncaughtErrors } from './uncaught-errors.ts';

const headerAuth = defineCredentialType({
  name: 'httpHeaderAuth',
  displayName: 'Header',
  properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '', typeOptions: { password: true } }],
  authenticate: { headers: { 'X-Key': '{value}' } },
});
const shout = { manifest: { sluice: { nodes: ['shout.js'] } }, files: { 'shout.js': shoutSource() } };
const credential = (name: string, more = '') =>
  `export default { name: '${name}', displayName: 'A key', properties: [
    { displayName: 'Place', name: 'place', type: 'string', default: '' }], ${more} };`;

/** The stack of its error contains no file of any package. */
const socketSource = "import net from 'node:net'; net.connect(1, '127.0.0.1').unref();";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-packages-'));
});
afterEach(() => rm(folder, { recursive: true }));

const anUncaughtErrors = () => new UncaughtErrors({ error: () => undefined });
type Options = { allow?: readonly string[]; prefer?: readonly string[]; timeoutMs?: number; uncaughtErrors?: UncaughtErrors };
const load = (options: Options = {}) =>
  loadNodePackages({ folder, allow: null, credentialTypes: [headerAuth], uncaughtErrors: anUncaughtErrors(), ...options });

/** The failure of the only package. */
async function failure(): Promise<string | undefined> {
  const { packages, failures } = await load();
  expect([packages, failures.length]).toEqual([[], 1]);
  return failures[0]?.reason;
}

describe('third-party packages', () => {
  test('provide node types under their own name, and credential types', async () => {
    await writePackage(folder, '@acme/nodes', {
      manifest: { sluice: { nodes: ['shout.js'], credentials: ['key.js'] } },
      files: { 'shout.js': shoutSource(), 'key.js': credential('acmeApi') },
    });
    const { packages, nodeTypes, credentialTypes, failures } = await load();
    expect(failures).toEqual([]);
    expect(packages).toEqual([
      {
        name: '@acme/nodes',
        version: '1.2.3',
        nodeTypes: ['@acme/nodes.shout'],
        credentialTypes: ['acmeApi'],
        skipped: [],
      },
    ]);
    expect(nodeTypes.get('@acme/nodes.shout')?.description.displayName).toBe('Shout');
    expect(credentialTypes[0]?.schema).toMatchObject({ type: 'object' });
  });

  test('are found where npm installs them and through links, but dependencies are skipped', async () => {
    const elsewhere = await writePackage(join(folder, '.elsewhere'), 'linked', shout);
    await writePackage(join(folder, 'node_modules'), 'installed', shout);
    await writePackage(join(folder, 'node_modules'), 'left-pad', { files: { 'index.js': 'throw new Error()' } });
    await symlink(elsewhere, join(folder, 'linked'));
    const { nodeTypes, failures } = await load();
    expect([[...nodeTypes.keys()], failures]).toEqual([['installed.shout', 'linked.shout'], []]);
  });

  test('can be CommonJS', async () => {
    const source = shoutSource().replace('export default', 'const type =');
    await writePackage(folder, 'plain', {
      manifest: { type: 'commonjs', sluice: { nodes: ['a.js', 'b.js'] } },
      files: {
        'a.js': `${source} module.exports = type;`,
        'b.js': `${source.replace("name: 'shout'", "name: 'compiled'")} exports.__esModule = true; exports.default = type;`,
      },
    });
    expect([...(await load()).nodeTypes.keys()]).toEqual(['plain.shout', 'plain.compiled']);
  });

  test('extend credential types', async () => {
    await writePackage(folder, 'acme', {
      manifest: { sluice: { credentials: ['key.js'] } },
      files: { 'key.js': credential('acmeApi', "extends: ['httpHeaderAuth']") },
    });
    const [type] = (await load()).credentialTypes;
    expect(type?.properties.map(({ name }) => name)).toEqual(['value', 'place', 'allowedHttpRequestDomains', 'allowedDomains']);
    expect([type?.secretFields, type?.authenticate]).toEqual([['value'], headerAuth.authenticate]);
  });

  test('can be class instances, whose methods keep their private members', async () => {
    const classed = (
      description: string,
      more = '',
    ) => `class Base { #made = 0; help() { this.#made += 1; return [[{ json: { made: this.#made } }]]; } }
      class Type extends Base {
        description = { displayName: 'C', name: 'c', group: ['trigger'], version: 1, inputs: [], outputs: ['main'], properties: [], ${description} };
        ${more}
        execute() { return this.help(); }
        async poll() { return this.help()[0]; }
        async trigger() { return { close() {} }; }
        get methods() { return { loadOptions: { async list() { return []; } } }; }
      }`;
    const key = `export default new class {
      name = 'classApi'; displayName = 'C'; properties = [];
      #scheme = 'Bearer';
      authenticate(request, data) { return { ...request, headers: { Authorization: this.#scheme + ' ' + data.token } }; }
      complete(data) { return { scheme: this.#scheme, ...data }; }
    }();`;
    await writePackage(folder, 'classes', {
      manifest: { sluice: { nodes: ['one.js', 'two.js'], credentials: ['key.js'] } },
      files: {
        'one.js': `${classed('polling: true')} export default new Type();`,
        'two.js': `${classed("name: 'versioned'")} const one = new Type();
          export default { description: one.description, versions: { 1: one } };`,
        'key.js': key,
      },
    });
    const { nodeTypes, credentialTypes, failures } = await load();
    expect(failures).toEqual([]);
    const [one, two] = [nodeTypes.get('classes.c'), nodeTypes.get('classes.versioned')?.versions?.[1]];
    expect(await one?.execute?.({} as never)).toEqual([[{ json: { made: 1 } }]]);
    expect(await one?.poll?.({} as never)).toEqual([{ json: { made: 2 } }]);
    expect([typeof one?.trigger, typeof one?.methods?.loadOptions]).toEqual(['function', 'object']);
    expect(await two?.execute?.({} as never)).toEqual([[{ json: { made: 1 } }]]);
    const [type] = credentialTypes;
    expect(type?.complete?.({ token: 't' })).toEqual({ scheme: 'Bearer', token: 't' });
    const authenticate = type?.authenticate as (request: object, data: object) => { headers: object };
    expect(authenticate({}, { token: 't' }).headers).toEqual({ Authorization: 'Bearer t' });
  });

  test('need only the description members that the contract requires', async () => {
    const least =
      "{ displayName: 'L', name: 'least', group: ['input'], version: 1, inputs: [], outputs: ['main'], properties: [] }";
    await writePackage(folder, 'least', {
      ...shout,
      files: { 'shout.js': `export default { description: ${least}, execute: () => [[]] };` },
    });
    const { nodeTypes, failures } = await load();
    expect(failures).toEqual([]);
    expect(nodeTypes.get('least.least')?.description).toMatchObject({ description: '', defaults: { name: 'L' } });
  });

  test('can have declarative nodes, which get an execute for each version', async () => {
    const declarative = (version: string) =>
      shoutSource("requestDefaults: { baseURL: 'https://a.test' },")
        .replace(/execute: .*/, '')
        .replace('version: 1', `version: ${version}`);
    const versioned = `${declarative('[1, 2]').replace('export default', 'const type =')}
      const of = (version) => ({ description: { ...type.description, version } });
      export default { ...of([1, 2]), versions: { 1: of(1), 2: of(2) } };`;
    await writePackage(folder, 'one', { ...shout, files: { 'shout.js': declarative('1') } });
    await writePackage(folder, 'two', { ...shout, files: { 'shout.js': versioned } });
    const { nodeTypes, failures } = await load();
    expect(failures).toEqual([]);
    const types = [nodeTypes.get('one.shout'), ...Object.values(nodeTypes.get('two.shout')?.versions ?? {})];
    expect(types.map((type) => typeof type?.execute)).toEqual(['function', 'function', 'function']);
  });

  test('that fail do not affect others', async () => {
    await writePackage(folder, 'broken', { ...shout, files: { 'shout.js': 'throw new Error("no luck")' } });
    await writePackage(folder, 'good', shout);
    const { packages, failures } = await load();
    expect(packages.map(({ name }) => name)).toEqual(['good']);
    expect(failures).toEqual([{ package: 'broken', reason: 'shout.js cannot be loaded: no luck' }]);
  });

  test.each<[string, string, object, Record<string, string>, RegExp]>([
    ['names a file that is not there', 'p', { sluice: { nodes: ['none.js'] } }, {}, /^none\.js cannot be loaded: /],
    ['names a file outside', 'p', { sluice: { nodes: ['../x.js'] } }, {}, /sluice\.nodes\[0\] must be .* inside/],
    ['names nothing', 'p', { sluice: {} }, {}, /neither nodes nor credentials/],
    ['has no key of ours', 'p', {}, {}, /neither a key "sluice" nor a key "n8n"/],
    ['is of the community format and names nothing', 'p', { n8n: {} }, {}, /n8n names neither nodes nor credentials/],
    [
      'takes our name',
      'p',
      { name: 'base', sluice: { nodes: ['shout.js'] } },
      { 'shout.js': shoutSource() },
      /name base belongs/,
    ],
    ['has a name that npm refuses', 'p', { name: 'a b', sluice: { nodes: [] } }, {}, /name/],
    [
      'exports nothing',
      'p',
      { sluice: { nodes: ['a.js'] } },
      { 'a.js': 'export const a = 1;' },
      /^a\.js: there is no default export$/,
    ],
    [
      'describes its node wrongly',
      'p',
      { sluice: { nodes: ['shout.js'] } },
      { 'shout.js': shoutSource("inputs: ['water'],") },
      /^shout\.js: \/description\/inputs\/0 must be one of main, /,
    ],
    [
      'names a credential type as another one is named',
      'p',
      { sluice: { credentials: ['key.js'] } },
      { 'key.js': credential('httpHeaderAuth') },
      /name httpHeaderAuth is taken by Sluice$/,
    ],
    [
      'names a credential type as the vault names what is none',
      'p',
      { sluice: { credentials: ['key.js'] } },
      { 'key.js': credential('canary') },
      /name canary is taken/,
    ],
    [
      'extends a credential type that is not there',
      'p',
      { sluice: { credentials: ['key.js'] } },
      { 'key.js': credential('a', "extends: ['none']") },
      /extends none, which does not exist/,
    ],
  ])('one that %s is reported', async (_, name, manifest, files, reason) => {
    await writePackage(folder, name, { manifest, files });
    expect(await failure()).toMatch(reason);
  });

  test('lose only the types whose files fail', async () => {
    await writePackage(folder, 'mixed', {
      manifest: { sluice: { nodes: ['broken.js', 'shout.js', 'again.js'], credentials: ['key.js', 'odd.js'] } },
      files: {
        'broken.js': 'throw new Error("no luck")',
        'shout.js': shoutSource(),
        'again.js': shoutSource(),
        'key.js': credential('acmeApi'),
        'odd.js': 'export default {};',
      },
    });
    const { packages, failures } = await load();
    expect(failures).toEqual([]);
    expect(packages).toMatchObject([{ nodeTypes: ['mixed.shout'], credentialTypes: ['acmeApi'] }]);
    expect(packages[0]?.skipped).toEqual([
      expect.stringMatching(/^odd\.js: /),
      'broken.js cannot be loaded: no luck',
      'again.js: there is another node type named shout',
    ]);
  });

  describe('whose credential types have the same name', () => {
    const keyOf = (more?: string) => ({
      manifest: { sluice: { nodes: ['shout.js'], credentials: ['key.js'] } },
      files: { 'shout.js': shoutSource(), 'key.js': credential('sharedApi', more) },
    });

    test('lose the second one, with the name of its owner', async () => {
      await writePackage(folder, 'a', keyOf());
      await writePackage(folder, 'b', keyOf("documentation: 'https://b.test',"));
      const { packages, credentialTypes } = await load();
      expect(packages.map(({ nodeTypes, skipped }) => [...nodeTypes, ...skipped])).toEqual([
        ['a.shout'],
        ['b.shout', 'key.js: the name sharedApi is taken by a'],
      ]);
      expect(credentialTypes).toHaveLength(1);
    });

    test('share it if both define it alike', async () => {
      for (const name of ['a', 'b']) await writePackage(folder, name, keyOf('complete: (data) => data,'));
      const { packages, credentialTypes } = await load();
      expect(packages.map(({ skipped }) => skipped)).toEqual([[], []]);
      expect(credentialTypes).toHaveLength(1);
    });

    test('lose it if only the code differs', async () => {
      await writePackage(folder, 'a', keyOf('complete: (data) => data,'));
      await writePackage(folder, 'b', keyOf('complete: (data) => ({ ...data }),'));
      expect((await load()).packages[1]?.skipped).toHaveLength(1);
    });
  });

  test('that the operator prefers replace types of Sluice with the same name', async () => {
    await writePackage(folder, '@acme/nodes', {
      manifest: { sluice: { nodes: ['shout.js'], credentials: ['key.js'] } },
      files: { 'shout.js': shoutSource(), 'key.js': credential('httpHeaderAuth') },
    });
    const refused = await load();
    expect(refused.packages[0]?.skipped).toEqual(['key.js: the name httpHeaderAuth is taken by Sluice']);
    expect([refused.credentialTypes, [...refused.replacements]]).toEqual([[], []]);
    const { packages, credentialTypes, replacements } = await load({ prefer: ['@acme/*'] });
    expect(packages).toMatchObject([{ credentialTypes: ['httpHeaderAuth'], skipped: [] }]);
    expect(credentialTypes.map(({ properties }) => properties[0]?.name)).toEqual(['place']);
    expect([...replacements.keys()]).toEqual(['shout']);
  });

  test('a folder without package.json and a missing folder are reported', async () => {
    await mkdir(join(folder, 'empty'));
    expect(await failure()).toMatch(/no package\.json/);
    const nowhere = await loadNodePackages({
      folder: join(folder, 'none'),
      allow: null,
      credentialTypes: [],
      uncaughtErrors: anUncaughtErrors(),
    });
    expect(nowhere.failures).toEqual([{ package: join(folder, 'none'), reason: expect.stringContaining('ENOENT') }]);
  });

  test('with the same name are loaded once', async () => {
    await writePackage(folder, 'a', shout);
    await writePackage(join(folder, 'node_modules'), 'a', shout);
    const { packages, failures } = await load();
    expect(packages.map(({ name }) => name)).toEqual(['a']);
    expect(failures).toEqual([{ package: 'a', reason: 'a package of this name is loaded already' }]);
  });

  test.each([
    ['in the folder', '.', 'z-good'],
    ['where npm installs', 'node_modules', 'z-good'],
    ['in the folder, without its scope', '.', '@acme/a-liar'],
  ])('that go by another name than their folder are left out, and nothing of them runs: %s', async (_, place, name) => {
    const liar = { manifest: { ...shout.manifest, name }, files: { 'shout.js': 'process.exit(7)' } };
    await writePackage(join(folder, place), 'a-liar', liar);
    await writePackage(folder, 'z-good', shout);
    const { packages, failures } = await load({ allow: ['z-good', '@acme/*'] });
    expect(packages).toMatchObject([{ name: 'z-good', version: '1.2.3' }]);
    expect(failures).toEqual([
      { package: 'a-liar', reason: `package.json: the name ${name} is not that of its folder, a-liar` },
    ]);
  });

  describe('that npm has installed under another name', () => {
    beforeEach(async () => {
      const dependencies = {
        'nodes-old': 'npm:@acme/nodes@^1.2.3',
        '@b/fork': 'npm:nodes-fork',
        base: 'npm:shout@1.2.3',
        liar: 'npm:shout@1.2.3',
        plain: '^1.2.3',
      };
      await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
    });
    const install = (name: string, own: string) =>
      writePackage(join(folder, 'node_modules'), name, { ...shout, manifest: { ...shout.manifest, name: own } });

    test('use that name', async () => {
      await install('nodes-old', '@acme/nodes');
      await install('@b/fork', 'nodes-fork');
      const { nodeTypes, failures } = await load({ allow: ['nodes-old', '@acme/*', '@b/fork', 'nodes-fork'] });
      expect([[...nodeTypes.keys()], failures]).toEqual([['@b/fork.shout', 'nodes-old.shout'], []]);
    });

    test.each([
      ['nodes-old', '@acme/nodes', 'SLUICE_NODES_ALLOW does not name both it and @acme/nodes, which it is', ['nodes-old']],
      ['@b/fork', 'nodes-fork', 'SLUICE_NODES_ALLOW does not name both it and nodes-fork, which it is', ['nodes-fork']],
      ['base', 'shout', 'base, which shout is installed as, cannot be the name of a package', ['base', 'shout']],
      ['liar', 'other', 'package.json: the name other is not that of its folder, liar', ['liar', 'other', 'shout']],
      ['plain', 'other', 'package.json: the name other is not that of its folder, plain', ['plain', 'other']],
      ['hoisted', 'other', 'package.json: the name other is not that of its folder, hoisted', ['hoisted', 'other']],
    ])('are left out where it is not as it was asked for: %s, which is %s', async (name, own, reason, allow) => {
      await install(name, own);
      expect((await load({ allow })).failures).toEqual([{ package: name, reason }]);
    });
  });

  test('run nothing unless the list names them or their scope', async () => {
    const throwing = { ...shout, files: { 'shout.js': 'throw new Error("it ran")' } };
    for (const name of ['a', '@b/c', '@b/d']) await writePackage(folder, name, shout);
    await writePackage(folder, 'e', throwing);
    const { packages, failures } = await load({ allow: ['a', '@b/*'] });
    expect(packages.map(({ name }) => name)).toEqual(['@b/c', '@b/d', 'a']);
    expect(failures).toEqual([{ package: 'e', reason: 'SLUICE_NODES_ALLOW does not name it' }]);
  });

  test('that never finish loading are abandoned', async () => {
    await writePackage(folder, 'slow', { ...shout, files: { 'shout.js': 'await new Promise(() => {}); export default 1;' } });
    const { failures } = await load({ timeoutMs: 20 });
    expect(failures).toEqual([{ package: 'slow', reason: 'it was not loaded within 20 milliseconds' }]);
  });

  test.each([
    ['reject a promise', "Promise.reject(new Error('unseen'));", 'it throws an uncaught error while it loads: unseen'],
    ['end the process', 'process.exit(3);', 'it ends the process (exit code 3)'],
    ['kill the process', "process.kill(process.pid, 'SIGTERM');", 'it ends the process (SIGTERM)'],
    [
      'never give way',
      'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);',
      'it was not loaded within 10000 milliseconds',
    ],
  ])('that %s while they are loaded are tried in a process of their own, and left out', async (_, text, reason) => {
    await writePackage(folder, 'a', {
      manifest: { sluice: { credentials: ['key.js'] } },
      files: { 'key.js': credential('acmeApi') },
    });
    await writePackage(folder, 'b', { ...shout, files: { 'shout.js': `${text}\n${shoutSource()}` } });
    await writePackage(folder, 'c', {
      manifest: { sluice: { credentials: ['key.js'] } },
      files: { 'key.js': credential('otherApi', "extends: ['acmeApi']") },
    });
    const { packages, failures } = await load({ timeoutMs: reason.includes('10000') ? 10_000 : 60_000 });
    expect(failures).toEqual([{ package: 'b', reason }]);
    expect(packages.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test.each([
    ['lists', 'Array.prototype.map = () => [];', 'it changes Array.prototype.map, which all code would see'],
    ['JSON', "JSON.stringify = () => '{}';", 'it changes JSON.stringify, which all code would see'],
    [
      'files',
      "import fs from 'node:fs'; fs.readFileSync = () => ''; fs.promises.readFile = async () => '';",
      'it changes fs.readFileSync, fs.promises.readFile, which all code would see',
    ],
    [
      'promises, a little later',
      'setTimeout(() => { Promise.prototype.then = () => {}; }, 1);',
      'it changes Promise.prototype.then, which all code would see',
    ],
    [
      'objects, for good',
      'Object.freeze(Object.prototype);',
      'it changes Object.prototype, Object.prototype.constructor, .+, which all code sees, and which cannot be undone',
    ],
  ])('that change what all share are the only ones that are left out: %s', async (_, text, reason) => {
    for (const name of ['a', 'c']) await writePackage(folder, name, shout);
    await writePackage(folder, 'b', { ...shout, files: { 'shout.js': `${text}\n${shoutSource()}` } });
    const { packages, failures } = await load();
    expect(failures).toEqual([{ package: 'b', reason: expect.stringMatching(new RegExp(`^${reason}$`)) }]);
    expect(packages.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  test.each([
    ['throws, 60 ms later', "setTimeout(() => { throw 'oops'; }, 60);", 'it throws an uncaught error while it loads: oops'],
    [
      'rejects, 60 ms later',
      "setTimeout(() => Promise.reject('oops'), 60);",
      'it throws an uncaught error while it loads: oops',
    ],
    ['ends the process, 60 ms later', 'setTimeout(() => process.exit(3), 60);', 'it ends the process (exit code 3)'],
    [
      'kills the process, 60 ms later',
      "setTimeout(() => process.kill(process.pid, 'SIGKILL'), 60);",
      'it ends the process (SIGKILL)',
    ],
    [
      'rejects with a value that has no text',
      'Promise.reject(Object.create(null));',
      'it throws an uncaught error while it loads: an error that has no text',
    ],
    [
      'has a dependency that throws, 60 ms later',
      "import 'dep';",
      'it throws an uncaught error while it loads: terminated unexpectedly',
    ],
    ['has a socket without an error handler', socketSource, 'ECONNREFUSED'],
  ])('one that %s is the one that is blamed, and none of those that load meanwhile', async (_, text, reason) => {
    const dependency = "setTimeout(() => { throw new Error('terminated unexpectedly') }, 60)";
    await writePackage(join(folder, 'node_modules'), 'dep', {
      manifest: { type: 'commonjs' },
      files: { 'index.js': dependency },
    });
    const slow = `await new Promise((resolve) => setTimeout(resolve, 100));\n${shoutSource()}`;
    for (const name of ['a', 'c', 'd']) await writePackage(folder, name, { ...shout, files: { 'shout.js': slow } });
    await writePackage(folder, 'b', { ...shout, files: { 'shout.js': `${text}\n${shoutSource()}` } });
    const { packages, failures } = await load({ timeoutMs: 60_000 });
    expect(failures).toEqual([{ package: 'b', reason: expect.stringContaining(reason) }]);
    expect(packages.map(({ name }) => name)).toEqual(['a', 'c', 'd']);
  });

  test('a package cannot shift blame to another by removing error listeners', async () => {
    const deaf = "process.removeAllListeners('uncaughtException');";
    const late = "setTimeout(() => { throw new Error('late'); }, 1);";
    await writePackage(folder, 'a', { ...shout, files: { 'shout.js': `${deaf}\n${shoutSource()}` } });
    await writePackage(folder, 'b', { ...shout, files: { 'shout.js': `${late}\n${shoutSource()}` } });
    const { packages, failures } = await load({ timeoutMs: 60_000 });
    expect(failures).toEqual([{ package: 'b', reason: 'it throws an uncaught error while it loads: late' }]);
    expect(packages.map(({ name }) => name)).toEqual(['a']);
  });

  test.each(['mkfifo', 'link to /dev/zero', 'a great file'])('a package.json that never ends is refused: %s', async (kind) => {
    await mkdir(join(folder, 'p'));
    const manifest = join(folder, 'p/package.json');
    if (kind === 'mkfifo') execFileSync('mkfifo', [manifest]);
    else if (kind === 'a great file') await writeFile(manifest, ' '.repeat(1024 * 1024 + 1));
    else await symlink('/dev/zero', manifest);
    expect(await failure()).toMatch(/^package\.json is (not a file|larger than 1 MiB)$/);
  });

  test('own uncaught errors of their credential types outside of node runs', async () => {
    await writePackage(folder, 'acme', {
      manifest: { sluice: { credentials: ['key.js'] } },
      files: { 'key.js': credential('acmeApi', 'problemOf: ({ probe }) => probe(),') },
    });
    const lines: object[] = [];
    const uncaughtErrors = new UncaughtErrors({ error: (fields) => void lines.push({ ...fields }) });
    const [type] = (await load({ uncaughtErrors })).credentialTypes;
    const probe = () => void expect(uncaughtErrors.take('oops', 'thrown')).toBe(true);
    type?.problemOf?.({ probe } as never);
    expect(lines).toMatchObject([{ package: 'acme', error: 'oops' }]);
    const failed = jest.fn();
    uncaughtErrors.run({ failed }, () => type?.problemOf?.({ probe } as never));
    expect(failed).toHaveBeenCalledWith('oops', 'thrown');
  });

  test('are recognized by the real folders of linked files', async () => {
    const elsewhere = await writePackage(join(folder, '.elsewhere'), 'linked', shout);
    await symlink(elsewhere, join(folder, 'linked'));
    const lines: object[] = [];
    const uncaughtErrors = new UncaughtErrors({ error: (fields) => void lines.push({ ...fields }) });
    await load({ uncaughtErrors });
    const error = Object.assign(new Error('late'), {
      stack: `Error: late\n    at a (${await realpath(elsewhere)}/shout.js:1:1)`,
    });
    expect(uncaughtErrors.take(error, 'thrown')).toBe(true);
    expect(lines).toMatchObject([{ package: 'linked' }]);
  });
});
