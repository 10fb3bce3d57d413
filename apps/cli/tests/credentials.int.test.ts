import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { Access, AuditRepository, CredentialRepository, ensureBootstrap, UserRepository } from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { generateMasterKey, KeyRing, Vault } from '@sluice/vault';
import { buildProgram } from '../src/program.ts';

const [oldKey, newKey] = [generateMasterKey(), generateMasterKey()];
const everywhere = new Access('all');
const saved = { ...process.env };

const database = await testDatabase();
const credentials = new CredentialRepository(database.db.kysely);
await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
const home = await mkdtemp(join(tmpdir(), 'sluice-credentials-'));
afterAll(async () => {
  process.env = saved;
  await rm(home, { recursive: true, force: true });
  await database.drop();
});

/** Runs a command and resolves to its output, parsed as JSON. */
async function sluice(masterKeys: string | undefined, ...args: string[]) {
  process.env = { ...saved, DATABASE_URL: database.url, SLUICE_HOME: home, ENCRYPTION_KEY: masterKeys };
  if (masterKeys === undefined) delete process.env['ENCRYPTION_KEY'];
  const lines: string[] = [];
  const terminal = { line: (text: string) => void lines.push(text), warn: (text: string) => void lines.push(text) };
  await buildProgram(terminal).exitOverride().parseAsync(args, { from: 'user' });
  return JSON.parse(lines.join('\n'));
}

async function aFile(document: unknown): Promise<string> {
  const path = join(home, 'credentials.json');
  await writeFile(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}

async function open(id: string, ...keys: string[]) {
  const credential = await credentials.get(id, everywhere);
  return new Vault(KeyRing.parse(keys)).open(credential, credential.sealed);
}

const crm = { id: 'crm', name: 'CRM', type: 'httpBasicAuth', data: { user: 'ann', password: 'one' } };
const importManaged = async (document: unknown, keys: string | undefined = oldKey) =>
  sluice(keys, 'credentials', 'import', await aFile(document), '--managed', '--json');

describe('credentials import', () => {
  test('creates managed credentials and updates them when repeated; the default project is the owner’s personal project', async () => {
    const unnamed = { name: 'Header', type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'v' } };
    const first = await importManaged([crm, unnamed]);
    const owner = await new UserRepository(database.db.kysely).findOwner();
    expect(first).toMatchObject([
      { id: 'crm', outcome: 'created', projectId: owner?.personalProjectId },
      { name: 'Header', outcome: 'created' },
    ]);
    expect(JSON.stringify(first)).not.toMatch(/password|"one"/);
    const again = await importManaged([{ ...crm, data: { user: 'ann', password: 'two' } }, unnamed]);
    expect(again).toMatchObject([
      { id: 'crm', outcome: 'updated' },
      { id: first[1].id, outcome: 'updated' },
    ]);
    expect(await open('crm', oldKey)).toEqual({ user: 'ann', password: 'two' });
    expect((await credentials.get('crm', everywhere)).isManaged).toBe(true);
  });

  test('without --managed imports an export of n8n, and leaves existing credentials unchanged', async () => {
    const exported = { ...crm, id: 'erp', name: 'ERP', createdAt: '2025-02-01T10:00:00.000Z', isManaged: false };
    const importOnce = async (password: string) => {
      const file = await aFile(`\uFEFF${JSON.stringify([{ ...exported, data: { ...crm.data, password } }])}`);
      return sluice(oldKey, 'credentials', 'import', file, '--json');
    };
    expect(await importOnce('one')).toMatchObject([{ id: 'erp', outcome: 'created' }]);
    expect(await importOnce('two')).toMatchObject([{ id: 'erp', outcome: 'unchanged' }]);
    expect((await credentials.get('erp', everywhere)).isManaged).toBe(false);
    expect(await open('erp', oldKey)).toEqual(crm.data);
    await database.db.kysely.deleteFrom('credentials').where('id', '=', 'erp').execute();
  });

  test.each<[string, unknown, RegExp]>([
    ['invalid JSON', '{"password": "hunter22"', /not valid JSON/],
    ['a number that is out of range', '[{"data": {"port": 1e999}}]', /has a number that is out of range/],
    ['an object', {}, /must be an array/],
    ['an unknown type', [{ ...crm, type: 'nonsense' }], /\/0\/type is not a credential type: "nonsense"/],
    [
      'data that does not match the type',
      [crm, { ...crm, id: 'other', data: { password: 'hunter22' } }],
      /\/1\/data\/user is required/,
    ],
    ['the same id twice', [crm, { ...crm, name: 'changed' }], /\/1\/id is also the ID of an earlier credential in the file/],
    [
      'a second entry without an id that has the type and name of another',
      [
        { ...crm, name: 'changed' },
        { ...crm, name: 'changed', id: undefined },
      ],
      /\/1\/id is required: another credential in the file has the same project, type, and name/,
    ],
    ['an invalid id', [{ ...crm, id: 'a|b' }], /\/0\/id must be/],
    [
      'a project that does not exist',
      [
        { ...crm, name: 'changed' },
        { ...crm, id: 'x', projectId: 'none' },
      ],
      /does not exist/,
    ],
  ])('of %s imports nothing, and the error quotes no secret', async (_, document, message) => {
    const refused = importManaged(document);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.not.toThrow(/hunter22/);
    expect(await credentials.list({ name: 'changed' }, everywhere)).toEqual([]);
  });

  test('rejects a master key of another database', async () => {
    await expect(importManaged([crm], newKey)).rejects.toThrow(/ENCRYPTION_KEY \(or master\.key\) holds no key/);
  });
});

describe('keys rotate-master', () => {
  const rotate = (keys: string | undefined) => sluice(keys, 'keys', 'rotate-master', '--json');

  test('rewraps everything with the first key, so that the other keys can be removed; a second run has nothing to do', async () => {
    await importManaged([crm]);
    expect(await rotate(`${newKey},${oldKey}`)).toMatchObject({ rewrapped: 2, remaining: 0, unreadable: [] });
    expect(await open('crm', newKey)).toEqual(crm.data);
    await expect(open('crm', oldKey)).rejects.toMatchObject({ code: 'CREDENTIAL_UNREADABLE' });
    expect(await rotate(newKey)).toMatchObject({ rewrapped: 0, remaining: 0 });
    const lines = await new AuditRepository(database.db.kysely).list({ object: 'masterKey' }, { limit: 10 });
    expect(lines.map(({ action, details }) => [action, details?.['rewrapped']])).toEqual([
      ['masterKey.rotate', 0],
      ['masterKey.rotate', 2],
    ]);
  });

  test('reads the key file of the home folder if the setting is missing; one of the two is required', async () => {
    await expect(rotate(undefined)).rejects.toThrow(/ENCRYPTION_KEY is not set, and .*master\.key does not exist/);
    await writeFile(join(home, 'master.key'), `${oldKey}\n${newKey}\n`);
    expect(await rotate(undefined)).toMatchObject({ rewrapped: 2, remaining: 0 });
    await expect(rotate(newKey)).rejects.toThrow(/ENCRYPTION_KEY \(or master\.key\) holds no key/);
  });

  test('fails if no key opens a credential, and reports the number of such credentials', async () => {
    const sealed = new Vault(KeyRing.parse([generateMasterKey()])).seal({ id: 'lost', type: 'httpBasicAuth' }, {});
    const owner = await new UserRepository(database.db.kysely).findOwner();
    const head = { id: 'lost', type: 'httpBasicAuth', name: 'Lost', projectId: owner?.personalProjectId ?? '' };
    await credentials.create({ ...head, isGlobal: false, isResolvable: false, sealed });
    await expect(rotate(`${newKey},${oldKey}`)).rejects.toThrow('1 credentials are still wrapped with another key');
    expect(await open('crm', newKey)).toEqual(crm.data);
  });
});
