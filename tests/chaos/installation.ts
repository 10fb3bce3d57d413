import type { WorkflowGraph } from '@sluice/domain';
import { eventOfStatus } from './auditor.ts';
import type { Client, Reply } from './client.ts';
import { effectTable, type Targets } from './workflow-parts.ts';
import { calledServer, calledServerPath, child, type Kind, kinds, poll, reader, schedule } from './workflows.ts';

/** The workflows of a run, stored and active. */
export interface Installation {
  /** Name of a kind → ID of its workflow. */
  idOf: ReadonlyMap<string, string>;
  kindOf: ReadonlyMap<string, Pick<Kind, 'name' | 'ends' | 'effects'>>;
}

/** Creates all workflows, including one for probes, and activates the workflows with triggers. */
export async function installWorkflows(
  client: Client,
  { effectsUrl, apiUrl }: { effectsUrl: string; apiUrl: string },
): Promise<Installation> {
  bodyOf(await client.persist({ method: 'POST', route: '/data-tables', body: effectTable }), 201);
  const subscription = { name: 'Ends', url: `${effectsUrl}/events`, events: Object.values(eventOfStatus) };
  bodyOf(await client.persist({ method: 'POST', route: '/event-subscriptions', body: subscription }), 201);
  const targets: Targets = {
    effectsUrl,
    mcpUrl: `${apiUrl}/webhook/mcp/${calledServerPath}`,
    childId: '',
    readerId: '',
    credentialId: await createCredential(client, {
      name: 'c',
      type: 'httpBasicAuth',
      data: { user: 'u', password: 'p' },
      ratePerSecond: 1,
    }),
    botId: await createCredential(client, {
      name: 'Bot',
      type: 'telegramApi',
      data: { accessToken: '1:a', baseUrl: effectsUrl },
    }),
  };
  targets.childId = await create(client, child.graph(targets));
  targets.readerId = await create(client, reader.graph(targets));
  const idOf = new Map([
    [child.name, targets.childId],
    [reader.name, targets.readerId],
    [calledServer.name, await create(client, calledServer.graph(targets))],
  ]);
  for (const id of idOf.values()) await activate(client, id);
  const probe: Kind = { ...(kinds[0] as Kind), name: 'probe' };
  for (const kind of [...kinds, probe, schedule, poll]) {
    const id = await create(client, { ...kind.graph(targets), name: kind.name });
    idOf.set(kind.name, id);
    if ('webhook' in kind || kind === schedule || kind === poll) await activate(client, id);
  }
  const all = [...kinds, child, reader, calledServer, probe, schedule, poll];
  return { idOf, kindOf: new Map(all.map((kind) => [idOf.get(kind.name) as string, kind])) };
}

async function createCredential(client: Client, body: object): Promise<string> {
  return bodyOf(await client.persist({ method: 'POST', route: '/credentials', body }), 201).id;
}

async function create(client: Client, body: WorkflowGraph): Promise<string> {
  return bodyOf(await client.persist({ method: 'POST', route: '/workflows', body }), 201).id;
}

async function activate(client: Client, id: string): Promise<void> {
  bodyOf(await client.persist({ method: 'POST', route: '/workflows/{id}/activate', id, body: {} }), 200);
}

export async function deactivate(client: Client, id: string): Promise<void> {
  bodyOf(await client.persist({ method: 'POST', route: '/workflows/{id}/deactivate', id, body: {} }), 200);
}

/** Whether the poll has a baseline: the first poll starts nothing for existing entries. */
export async function hasPolled(client: Client, { idOf }: Installation): Promise<boolean> {
  const request = { method: 'GET', route: '/workflows/{id}/triggers', id: idOf.get(poll.name) as string } as const;
  return bodyOf(await client.persist(request), 200).data[0].lastSuccessAt !== null;
}

export function bodyOf(reply: Reply | undefined, status: number): Reply['body'] {
  if (reply?.status !== status) throw new Error(`status ${reply?.status} instead of ${status}: ${JSON.stringify(reply?.body)}`);
  return reply.body;
}
