import { mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { credentialSource, headerAuth, keyPackage, loadFrom, shout } from './testing/load-from.ts';
import { shoutSource, writePackage } from './testing/write-package.ts';
import { UncaughtErrors } from './uncaught-errors.ts';

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
const classKey = `export default new class {
  name = 'classApi'; displayName = 'C'; properties = [];
  #scheme = 'Bearer';
  authenticate(request, data) { return { ...request, headers: { Authorization: this.#scheme + ' ' + data.token } }; }
  complete(data) { return { scheme: this.#scheme, ...data }; }
}();`;
const least =
  "{ displayName: 'L', name: 'least', group: ['input'], version: 1, inputs: [], outputs: ['main'], properties: [] }";
const declarative = (version: string) =>
  shoutSource("requestDefaults: { baseURL: 'https://a.test' },")
    .replace(/execute: .*/, '')
    .replace('version: 1', `version: ${version}`);
const versioned = `${declarative('[1, 2]').replace('export default', 'const type =')}
  const of = (version) => ({ description: { ...type.description, version } });
  export default { ...of([1, 2]), versions: { 1: of(1), 2: of(2) } };`;
const commonJs = shoutSource().replace('export default', 'const type =');
const sharedKey = (name: string, more?: string) => ({
  manifest: { sluice: { nodes: ['shout.js'], credentials: ['key.js'] } },
  files: { 'shout.js': shoutSource(), 'key.js': credentialSource(name, more) },
});

/** Packages that load, at least in part. */
const sound: Record<string, Parameters<typeof writePackage>[2]> = {
  '@acme/nodes': sharedKey('acmeApi'),
  '@b/taken': sharedKey('httpHeaderAuth'),
  classes: {
    manifest: { sluice: { nodes: ['one.js', 'two.js'], credentials: ['key.js'] } },
    files: {
      'one.js': `${classed('polling: true')} export default new Type();`,
      'two.js': `${classed("name: 'versioned'")} const one = new Type();
        export default { description: one.description, versions: { 1: one } };`,
      'key.js': classKey,
    },
  },
  'common-js': {
    manifest: { type: 'commonjs', sluice: { nodes: ['a.js', 'b.js'] } },
    files: {
      'a.js': `${commonJs} module.exports = type;`,
      'b.js': `${commonJs.replace("name: 'shout'", "name: 'compiled'")} exports.__esModule = true; exports.default = type;`,
    },
  },
  'declares-one': { ...shout, files: { 'shout.js': declarative('1') } },
  'declares-two': { ...shout, files: { 'shout.js': versioned } },
  extends: keyPackage('extendedApi', "extends: ['httpHeaderAuth']"),
  least: { ...shout, files: { 'shout.js': `export default { description: ${least}, execute: () => [[]] };` } },
  mixed: {
    manifest: { sluice: { nodes: ['broken.js', 'shout.js', 'again.js'], credentials: ['key.js', 'odd.js'] } },
    files: {
      'broken.js': 'throw new Error("no luck")',
      'shout.js': shoutSource(),
      'again.js': shoutSource(),
      'key.js': credentialSource('mixedApi'),
      'odd.js': 'export default {};',
    },
  },
  probes: keyPackage('probedApi', 'problemOf: ({ probe }) => probe(),'),
  'shared-a': sharedKey('differentApi'),
  'shared-b': sharedKey('differentApi', "documentation: 'https://b.test',"),
  'shared-c': sharedKey('alikeApi', 'complete: (data) => data,'),
  'shared-d': sharedKey('alikeApi', 'complete: (data) => data,'),
  'shared-e': sharedKey('codeApi', 'complete: (data) => data,'),
  'shared-f': sharedKey('codeApi', 'complete: (data) => ({ ...data }),'),
  twice: shout,
};

const wrong: [string, object, Record<string, string>, RegExp][] = [
  ['names a file that is not there', { sluice: { nodes: ['none.js'] } }, {}, /^none\.js cannot be loaded: /],
  ['names a file outside', { sluice: { nodes: ['../x.js'] } }, {}, /sluice\.nodes\[0\] must be .* inside/],
  ['names nothing', { sluice: {} }, {}, /neither nodes nor credentials/],
  ['has neither key', {}, {}, /neither a key "sluice" nor a key "n8n"/],
  ['is of the community format and names nothing', { n8n: {} }, {}, /n8n names neither nodes nor credentials/],
  ['takes a reserved name', { ...shout.manifest, name: 'base' }, shout.files, /name base is reserved/],
  ['has a name that npm rejects', { name: 'a b', sluice: { nodes: [] } }, {}, /name/],
  ['throws', { sluice: { nodes: ['a.js'] } }, { 'a.js': 'throw new Error("no luck")' }, /^a\.js cannot be loaded: no luck$/],
  ['exports nothing', { sluice: { nodes: ['a.js'] } }, { 'a.js': 'export const a = 1;' }, /^a\.js has no default export$/],
  [
    'has an invalid node description',
    shout.manifest,
    { 'shout.js': shoutSource("inputs: ['water'],") },
    /^shout\.js: \/description\/inputs\/0 must be one of main, /,
  ],
  [
    'uses the name of an existing credential type',
    { sluice: { credentials: ['key.js'] } },
    { 'key.js': credentialSource('httpHeaderAuth') },
    /name httpHeaderAuth is taken by Sluice$/,
  ],
  [
    'uses a name that the vault reserves',
    { sluice: { credentials: ['key.js'] } },
    { 'key.js': credentialSource('canary') },
    /name canary is taken/,
  ],
  [
    'extends a missing credential type',
    { sluice: { credentials: ['key.js'] } },
    { 'key.js': credentialSource('a', "extends: ['none']") },
    /extends none, which does not exist/,
  ],
];
const wrongName = (what: string) => `wrong-${what.replaceAll(' ', '-')}`;

const lines: object[] = [];
const uncaughtErrors = new UncaughtErrors({ error: (fields) => void lines.push({ ...fields }) });

const folder = await mkdtemp(join(tmpdir(), 'node-packages-'));
for (const [name, contents] of Object.entries(sound)) await writePackage(folder, name, contents);
for (const [what, manifest, files] of wrong) await writePackage(folder, wrongName(what), { manifest, files });
/** Real folder of the package `linked`. */
const elsewhere = await writePackage(join(folder, '.elsewhere'), 'linked', shout);
await symlink(elsewhere, join(folder, 'linked'));
await writePackage(join(folder, 'node_modules'), 'installed', shout);
await writePackage(join(folder, 'node_modules'), 'left-pad', { files: { 'index.js': 'throw new Error()' } });
await writePackage(join(folder, 'node_modules'), 'twice', shout);
/** All packages are loaded only once, because each load starts processes. */
const loaded = await loadFrom(folder, { uncaughtErrors });
afterAll(() => rm(folder, { recursive: true }));

const packageNamed = (name: string) => loaded.packages.find((one) => one.name === name);
const credentialType = (name: string) => loaded.credentialTypes.find((one) => one.name === name);
const nodeType = (name: string) => loaded.nodeTypes.get(name);

describe('third-party packages', () => {
  test('provide node types under their own name, and credential types', () => {
    const types = { nodeTypes: ['@acme/nodes.shout'], credentialTypes: ['acmeApi'], skipped: [] };
    expect(packageNamed('@acme/nodes')).toEqual({ name: '@acme/nodes', version: '1.2.3', ...types });
    expect(nodeType('@acme/nodes.shout')?.description.displayName).toBe('Shout');
    expect(credentialType('acmeApi')?.schema).toMatchObject({ type: 'object' });
  });

  test('are found where npm installs them and through links, but dependencies are skipped', () => {
    const names = [...Object.keys(sound), 'installed', 'linked'].sort();
    expect(loaded.packages.map(({ name }) => name)).toEqual(names);
    expect([packageNamed('installed')?.nodeTypes, packageNamed('linked')?.nodeTypes]).toEqual([
      ['installed.shout'],
      ['linked.shout'],
    ]);
  });

  test('can be CommonJS', () => {
    expect(packageNamed('common-js')?.nodeTypes).toEqual(['common-js.shout', 'common-js.compiled']);
  });

  test('extend credential types', () => {
    const type = credentialType('extendedApi');
    expect(type?.properties.map(({ name }) => name)).toEqual(['value', 'place', 'allowedHttpRequestDomains', 'allowedDomains']);
    expect([type?.secretFields, type?.authenticate]).toEqual([['value'], headerAuth.authenticate]);
  });

  test('can be class instances, whose methods keep their private members', async () => {
    const [one, two] = [nodeType('classes.c'), nodeType('classes.versioned')?.versions?.[1]];
    expect(await one?.execute?.({} as never)).toEqual([[{ json: { made: 1 } }]]);
    expect(await one?.poll?.({} as never)).toEqual([{ json: { made: 2 } }]);
    expect([typeof one?.trigger, typeof one?.methods?.loadOptions]).toEqual(['function', 'object']);
    expect(await two?.execute?.({} as never)).toEqual([[{ json: { made: 1 } }]]);
    const type = credentialType('classApi');
    expect(type?.complete?.({ token: 't' })).toEqual({ scheme: 'Bearer', token: 't' });
    const authenticate = type?.authenticate as (request: object, data: object) => { headers: object };
    expect(authenticate({}, { token: 't' }).headers).toEqual({ Authorization: 'Bearer t' });
  });

  test('need only the description members that the contract requires', () => {
    expect(nodeType('least.least')?.description).toMatchObject({ description: '', defaults: { name: 'L' } });
  });

  test('can have declarative nodes, which get an execute for each version', () => {
    const types = [nodeType('declares-one.shout'), ...Object.values(nodeType('declares-two.shout')?.versions ?? {})];
    expect(types.map((type) => typeof type?.execute)).toEqual(['function', 'function', 'function']);
  });

  test.each(wrong)('a package that %s is reported', (what, _manifest, _files, reason) => {
    const reasons = loaded.failures.filter((failure) => failure.package === wrongName(what)).map((failure) => failure.reason);
    expect(reasons).toEqual([expect.stringMatching(reason)]);
  });

  test('with the same name are loaded once, and only invalid packages fail', () => {
    const others = loaded.failures.filter((failure) => !failure.package.startsWith('wrong-'));
    expect(others).toEqual([{ package: 'twice', reason: 'a package with this name is already loaded' }]);
  });

  test('lose only the types whose files fail', () => {
    expect(packageNamed('mixed')).toMatchObject({ nodeTypes: ['mixed.shout'], credentialTypes: ['mixedApi'] });
    expect(packageNamed('mixed')?.skipped).toEqual([
      expect.stringMatching(/^odd\.js: /),
      'broken.js cannot be loaded: no luck',
      'again.js: there is another node type named shout',
    ]);
  });

  test.each([
    ['lose the second type, with the name of its owner', 'differentApi', ['shared-a', 'shared-b'], true],
    ['share it if both definitions are the same', 'alikeApi', ['shared-c', 'shared-d'], false],
    ['lose it if only the code differs', 'codeApi', ['shared-e', 'shared-f'], true],
  ])('whose credential types have the same name %s', (_, name, [first = '', second = ''], isLost) => {
    const skipped = isLost ? [`key.js: the name ${name} is taken by ${first}`] : [];
    expect([packageNamed(first), packageNamed(second)]).toMatchObject([
      { nodeTypes: [`${first}.shout`], skipped: [] },
      { nodeTypes: [`${second}.shout`], skipped },
    ]);
    expect(loaded.credentialTypes.filter((type) => type.name === name)).toHaveLength(1);
  });

  test('that the operator prefers replace Sluice types with the same name', async () => {
    expect(packageNamed('@b/taken')?.skipped).toEqual(['key.js: the name httpHeaderAuth is taken by Sluice']);
    expect([credentialType('httpHeaderAuth'), [...loaded.replacements]]).toEqual([undefined, []]);
    // This package has only a credential type.
    const only = wrongName('uses the name of an existing credential type');
    const preferred = await loadFrom(folder, { allow: ['@b/*', only], prefer: ['@b/*', only] });
    expect(preferred.packages).toMatchObject([
      { credentialTypes: ['httpHeaderAuth'], skipped: [] },
      { name: only, skipped: [] },
    ]);
    expect(preferred.credentialTypes.map(({ properties }) => properties[0]?.name)).toEqual(['place']);
    expect([...preferred.replacements.keys()]).toEqual(['shout']);
  });

  test('own uncaught errors of their credential types outside of node runs', () => {
    lines.length = 0;
    const type = credentialType('probedApi');
    const probe = () => void expect(uncaughtErrors.take('oops', 'thrown')).toBe(true);
    type?.problemOf?.({ probe } as never);
    expect(lines).toMatchObject([{ package: 'probes', error: 'oops' }]);
    const failed = jest.fn();
    uncaughtErrors.run({ failed }, () => type?.problemOf?.({ probe } as never));
    expect(failed).toHaveBeenCalledWith('oops', 'thrown');
  });

  test('are recognized by the real folders of linked files', async () => {
    lines.length = 0;
    const error = Object.assign(new Error('late'), {
      stack: `Error: late\n    at a (${await realpath(elsewhere)}/shout.js:1:1)`,
    });
    expect(uncaughtErrors.take(error, 'thrown')).toBe(true);
    expect(lines).toMatchObject([{ package: 'linked' }]);
  });
});
