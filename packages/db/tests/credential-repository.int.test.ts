import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  Access,
  CredentialImportRepository,
  CredentialRepository,
  CredentialUseRepository,
  ensureBootstrap,
  ProjectRepository,
  type SealedData,
  VaultKeyRepository,
  WorkflowRepository,
} from '@sluice/db';
import { testDatabase } from '@sluice/test-support';
import { anExecution, aStoredWorkflow, startExecutions } from './a-workflow.ts';

let home: string;
let guest: string;
let other: string;

const database = await testDatabase();
const { kysely } = database.db;
await ensureBootstrap(database.db.kysely, { bootstrapApiKey: null });
const credentials = new CredentialRepository(kysely);
const uses = new CredentialUseRepository(kysely);
const keys = new VaultKeyRepository(kysely);
afterAll(() => database.drop());
beforeEach(async () => {
  const projects = new ProjectRepository(database.db.kysely);
  home = (await projects.createTeam({ name: 'home' })).id;
  guest = (await projects.createTeam({ name: 'guest' })).id;
  other = (await projects.createTeam({ name: 'other' })).id;
});

const everywhere = new Access('all');
const of = (...projectIds: string[]) => new Access(projectIds);
const sealed = (mark: string, keyId = 'k1'): SealedData => ({
  version: 1,
  keyId,
  wrappedDek: Buffer.from(`dek ${mark}`),
  iv: Buffer.from(`iv ${mark}`),
  ciphertext: Buffer.from(`text ${mark}`),
  tag: Buffer.from('tag'),
});
let count = 0;
async function aCredential(changes: { projectId?: string; isGlobal?: boolean; name?: string; sealed?: SealedData } = {}) {
  const id = `credential${++count}`;
  const head = { id, projectId: home, name: `Name ${count}`, type: 'httpBasicAuth', isGlobal: false, isResolvable: false };
  return credentials.create({ ...head, sealed: sealed(id), ...changes });
}

describe('visibility', () => {
  test('is the same for a single credential and the list: own, shared, and global credentials', async () => {
    const own = await aCredential();
    const shared = await aCredential();
    await credentials.replaceShares(shared.id, [guest], { access: of(home), members: of(guest) });
    const global = await aCredential({ isGlobal: true });
    const visible: [Access, string[]][] = [
      [of(home), [global.id, shared.id, own.id]],
      [of(guest), [global.id, shared.id]],
      [of(other), [global.id]],
      [of(), [global.id]],
    ];
    for (const [access, ids] of visible) {
      const listed = await credentials.list({}, access);
      expect(listed.filter(({ projectId }) => projectId === home).map(({ id }) => id)).toEqual(ids);
      for (const { id } of [own, shared, global]) {
        const reading = credentials.get(id, access);
        if (ids.includes(id)) expect((await reading).sealed).toEqual(sealed(id));
        else await expect(reading).rejects.toMatchObject({ code: 'FORBIDDEN' });
      }
    }
    await credentials.delete(global.id, { access: everywhere, members: everywhere });
  });

  test('a credential that does not exist is not found', async () => {
    await expect(credentials.get('none', everywhere)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a name that contains wildcards or quotes is searched for literally', async () => {
    await aCredential({ name: '100%_a\\b' });
    const countOf = async (name: string) => (await credentials.list({ name }, of(home))).length;
    expect([await countOf('%_A'), await countOf('A\\B'), await countOf('1_0'), await countOf("' OR ''='")]).toEqual([
      1, 1, 0, 0,
    ]);
  });
});

describe('the use of an execution', () => {
  test('depends on the current project of the stored execution', async () => {
    const workflow = await aStoredWorkflow(database.db);
    const [executionId = ''] = await startExecutions(database.db, [anExecution(workflow)]);
    const guest = workflow.projectId;
    const usable = async (id: string) => (await uses.find(id, executionId))?.usable;
    const [own, shared, foreign, global] = await Promise.all([
      aCredential({ projectId: guest }),
      aCredential(),
      aCredential(),
      aCredential({ isGlobal: true }),
    ]);
    await credentials.replaceShares(shared.id, [guest], { access: of(home), members: of(guest) });
    expect(await Promise.all([own, shared, foreign, global].map(({ id }) => usable(id)))).toEqual([true, true, false, true]);
    await credentials.replaceShares(shared.id, [], { access: of(home), members: of() });
    expect(await usable(shared.id)).toBe(false);
    expect(await uses.find('none', executionId)).toBeUndefined();
    await credentials.delete(global.id, { access: everywhere, members: everywhere });
  });

  test('follows a transfer of the workflow immediately, before the row of the execution is moved', async () => {
    const workflow = await aStoredWorkflow(database.db);
    const [executionId = ''] = await startExecutions(database.db, [anExecution(workflow)]);
    const { id } = await aCredential({ projectId: workflow.projectId });
    expect(await uses.find(id, executionId)).toMatchObject({ usable: true, projectId: workflow.projectId });
    const workflows = new WorkflowRepository(database.db.kysely);
    await workflows.transfer(workflow.workflowId, everywhere, other, async () => undefined);
    expect(await uses.find(id, executionId)).toMatchObject({ usable: false, projectId: other });
  });
});

describe('uses of active workflows, checked together', () => {
  test('are read by one statement that returns every credential that its workflow may not use', async () => {
    const workflow = await aStoredWorkflow(database.db);
    const { workflowId, projectId } = workflow;
    const [own, shared, foreign] = await Promise.all([aCredential({ projectId }), aCredential(), aCredential()]);
    await credentials.replaceShares(shared.id, [projectId], { access: of(home), members: of(projectId) });
    const use = (id: string, changes = {}) => ({ id, type: 'httpBasicAuth', workflowId, ...changes });
    const candidates = [
      use(own.id),
      use(shared.id),
      use(foreign.id),
      use('none'),
      use(own.id, { type: 'other' }),
      use(own.id, { workflowId: 'none' }),
      use("x' OR '1'='1"),
    ];
    const unusable = await uses.findUnusable(candidates);
    expect([...unusable.keys()].sort()).toEqual([2, 3, 4, 5, 6]);
    expect(unusable.get(2)).toMatchObject({ id: foreign.id, name: foreign.name, projectId, workflowId, usable: false });
    expect([unusable.get(3), unusable.get(5), unusable.get(6)]).toEqual([undefined, undefined, undefined]);
    await credentials.replaceShares(shared.id, [], { access: of(home), members: of() });
    expect([...(await uses.findUnusable(candidates.slice(0, 2))).keys()]).toEqual([1]);
    expect(await uses.findUnusable([])).toEqual(new Map());
  });
});

describe('renewal', () => {
  test('is claimed by one process at a time, for the record that the process has read', async () => {
    const { id } = await aCredential();
    const claims = await Promise.all(Array.from({ length: 10 }, () => uses.claimRenewal(id, sealed(id), 10_000)));
    const [right = ''] = claims.filter((claim) => claim !== undefined);
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
    expect(await uses.storeRenewed(id, 'not the right', sealed('stolen'))).toBe(false);
    expect(await uses.storeRenewed(id, right, sealed('renewed'))).toBe(true);
    expect((await credentials.get(id, everywhere)).sealed).toEqual(sealed('renewed'));
    expect(await uses.claimRenewal(id, sealed(id), 10_000)).toBeUndefined();
    expect(await uses.claimRenewal(id, sealed('renewed'), 10_000)).toBeDefined();
  });

  test('can be taken over after its timeout, and is lost when a user saves new data', async () => {
    const { id } = await aCredential();
    const dead = await uses.claimRenewal(id, sealed(id), 0);
    const right = await uses.claimRenewal(id, sealed(id), 10_000);
    expect(await uses.storeRenewed(id, dead ?? '', sealed('late'))).toBe(false);
    await credentials.update(id, of(home), (current) => ({ ...current, sealed: sealed('by the user') }));
    expect(await uses.storeRenewed(id, right ?? '', sealed('late'))).toBe(false);
    expect((await credentials.get(id, everywhere)).sealed).toEqual(sealed('by the user'));
  });

  test('releases the claim if it fails', async () => {
    const { id } = await aCredential();
    const right = await uses.claimRenewal(id, sealed(id), 10_000);
    await uses.releaseRenewal(id, right ?? '');
    expect(await uses.claimRenewal(id, sealed(id), 10_000)).toBeDefined();
  });
});

describe('wrapped keys', () => {
  test('are replaced only if they have not changed since they were read', async () => {
    const [first, second] = [
      await aCredential({ sealed: sealed('a', 'old') }),
      await aCredential({ sealed: sealed('b', 'old') }),
    ];
    const rows = (await keys.listWrappedByOthers('k1', '', 100)).filter(({ keyId }) => keyId === 'old');
    expect(rows.map(({ id }) => id)).toEqual([first.id, second.id].sort());
    await credentials.update(second.id, of(home), (current) => ({ ...current, sealed: sealed('changed', 'old') }));
    const changes = rows.map(({ id, wrappedDek }) => ({
      id,
      from: wrappedDek,
      to: { keyId: 'k1', wrappedDek: Buffer.from(`new ${id}`) },
    }));
    expect(await keys.replaceWrapped(changes)).toBe(1);
    expect((await credentials.get(first.id, everywhere)).sealed).toMatchObject({
      keyId: 'k1',
      wrappedDek: Buffer.from(`new ${first.id}`),
      ciphertext: Buffer.from('text a'),
    });
    expect((await credentials.get(second.id, everywhere)).sealed).toEqual(sealed('changed', 'old'));
    expect(await keys.countWrappedByOthers('k1')).toBe(1);
  });

  test('concurrent starts agree on one canary', async () => {
    const dataKeys = await Promise.all(['x', 'y', 'z'].map((mark) => keys.getOrCreate(sealed(mark))));
    expect(new Set(dataKeys.map(({ wrappedDek }) => wrappedDek.toString())).size).toBe(1);
  });
});

describe('imported credentials', () => {
  let imports: CredentialImportRepository;
  beforeAll(() => {
    imports = new CredentialImportRepository(database.db.kysely);
  });

  test('that are managed are overwritten when they are imported again, by ID or by project, type, and name', async () => {
    const seal = (mark: string) => () => sealed(mark);
    const head = { projectId: home, name: 'CRM', type: 'httpBasicAuth', isManaged: true };
    const first = await imports.import(head, seal('one'));
    expect(await imports.import(head, seal('two'))).toEqual({ id: first.id, outcome: 'updated' });
    const renamed = await imports.import({ ...head, id: first.id, name: 'CRM 2' }, seal('three'));
    expect(renamed).toEqual({ id: first.id, outcome: 'updated' });
    expect(await credentials.get(first.id, everywhere)).toMatchObject({
      name: 'CRM 2',
      isManaged: true,
      sealed: sealed('three'),
    });
  });

  test('never replace a credential that is not managed, or change a type', async () => {
    const { id } = await aCredential();
    const head = { id, projectId: home, name: 'x', type: 'httpBasicAuth', isManaged: true };
    await expect(imports.import(head, () => sealed('x'))).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const existing = await imports.import({ ...head, id: 'managed1' }, () => sealed('x'));
    const other = imports.import({ ...head, id: existing.id, type: 'aws' }, () => sealed('x'));
    await expect(other).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const unmanaged = imports.import({ ...head, id: existing.id, isManaged: false }, () => sealed('x'));
    await expect(unmanaged).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  test('that are not managed stay unchanged when they are imported again, by ID or by project, type, and name', async () => {
    const head = { projectId: home, name: 'ERP', type: 'httpBasicAuth', isManaged: false };
    const { id, outcome } = await imports.import(head, () => sealed('one'));
    expect(outcome).toBe('created');
    for (const again of [head, { ...head, id, name: 'ERP 2' }])
      expect(await imports.import(again, () => sealed('two'))).toEqual({ id, outcome: 'unchanged' });
    expect(await credentials.get(id, everywhere)).toMatchObject({ name: 'ERP', isManaged: false, sealed: sealed('one') });
  });
});
