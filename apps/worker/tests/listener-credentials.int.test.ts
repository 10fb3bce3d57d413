import { afterAll, afterEach, describe, expect, test } from '@jest/globals';
import { Access, CredentialRepository, ProjectRepository, WorkflowRepository } from '@sluice/db';
import { randomId } from '@sluice/domain';
import type { ListenContext } from '@sluice/node-sdk';
import { eventually, testMasterKey } from '@sluice/test-support';
import { KeyRing, Vault } from '@sluice/vault';
import { listening, opened, SourceFleet } from './support/source-fleet.ts';

const all = new Access('all');

const fleet = await SourceFleet.start();
const credentials = new CredentialRepository(fleet.db.kysely);
const ownerProjectId = (await new ProjectRepository(fleet.db.kysely).createTeam({ name: 'owner of the credential' })).id;
afterEach(() => fleet.reset());
afterAll(() => fleet.close());

/**
 * Creates a credential in another project that is shared with the project of the fleet. Resolves to
 * its ID.
 */
async function aSharedCredential(): Promise<string> {
  const subject = { id: randomId(), type: 'httpBasicAuth' };
  const sealed = new Vault(KeyRing.parse([testMasterKey])).seal(subject, { user: 'ann', password: 'a-secret-pass-word' });
  const rights = { projectId: ownerProjectId, isGlobal: false, isResolvable: false };
  await credentials.create({ ...subject, ...rights, name: 'c', sealed });
  await credentials.replaceShares(subject.id, [fleet.projectId], { access: all, members: all });
  return subject.id;
}

/** An open listener that is connected with such a credential. */
async function aListener(): Promise<{ workflowId: string; credentialId: string; contexts: ListenContext[] }> {
  const contexts: ListenContext[] = [];
  fleet.trigger = async (context) => {
    await context.credentials('httpBasicAuth', 0);
    contexts.push(context);
    return { close: async () => void contexts.splice(contexts.indexOf(context), 1) };
  };
  const credentialId = await aSharedCredential();
  const workflowId = await fleet.activate(listening, {}, { httpBasicAuth: { id: credentialId, name: 'c' } });
  await fleet.worker();
  await opened(contexts, 1);
  return { workflowId, credentialId, contexts };
}

describe('a listener loses the right to its credential', () => {
  const losses: [string, (ids: { workflowId: string; credentialId: string }) => Promise<unknown>, RegExp][] = [
    [
      'its share ends',
      ({ credentialId }) => credentials.replaceShares(credentialId, [], { access: all, members: all }),
      /may not be used here/,
    ],
    [
      'it is deleted',
      ({ credentialId }) => credentials.delete(credentialId, { access: all, members: all }),
      /there is no credential/,
    ],
    [
      'the workflow moves to a project without it',
      async ({ workflowId }) => {
        const { id } = await new ProjectRepository(fleet.db.kysely).createTeam({ name: 'without the credential' });
        await new WorkflowRepository(fleet.db.kysely).transfer(workflowId, all, id, async () => undefined);
      },
      /may not be used here/,
    ],
  ];

  test.each(losses)('when %s, which closes its connection', async (_, lose, message) => {
    const { contexts, ...ids } = await aListener();
    const [context] = contexts;
    await lose(ids);
    await eventually(async () => expect((await fleet.triggerOf(ids.workflowId)).lastError).toMatch(message));
    expect(contexts).toHaveLength(0);
    await expect(context?.emit([{ json: {} }])).rejects.toMatchObject({ code: 'TRIGGER_CLOSED' });
  });
});
