import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Access, type ActiveTrigger, type Database, type NewTrigger, TriggerRepository, WorkflowRepository } from '@sluice/db';
import type { JsonObject, WorkflowNode } from '@sluice/domain';
import { type NodePackages, noNodePackages } from '@sluice/node-packages';
import type { ListenContext, NodeType, NodeTypeDescription, PollContext, PollResult } from '@sluice/node-sdk';
import { aChain, aNode, eventually, testRedisPrefix } from '@sluice/test-support';
import type { RunningWorker } from '../../src/worker.ts';
import { Fleet } from './fleet.ts';

const all = new Access('all');

export const everySecond: NewTrigger = {
  nodeName: 'Source',
  spec: { kind: 'poll', rules: [{ every: 'seconds', count: 1 }], fingerprint: 'a' },
  nextAt: new Date(),
};
export const listening: NewTrigger = { nodeName: 'Source', spec: { kind: 'listen', fingerprint: 'a' }, nextAt: null };

const described = (name: string, more: Partial<NodeTypeDescription> = {}): NodeTypeDescription => ({
  displayName: name,
  name,
  group: ['trigger'],
  version: 1,
  description: 'For tests',
  defaults: { name },
  inputs: [],
  outputs: ['main'],
  properties: [],
  ...more,
});

/** Workers with a polling type and a listening type, whose behavior a test sets. */
export class SourceFleet {
  readonly #fleet: Fleet;
  readonly #nodePackages: NodePackages;
  readonly projectId: string;
  /** Where files are stored. */
  readonly folder: string;
  #prefix = testRedisPrefix();
  /** Behavior of the type that polls. */
  poll: (context: PollContext) => Promise<PollResult> = async () => null;
  /** Behavior of the type that listens. */
  trigger: (context: ListenContext) => Promise<{ close(): Promise<void> }> = async () => ({ close: async () => undefined });

  private constructor(fleet: Fleet, projectId: string, folder: string) {
    this.#fleet = fleet;
    this.projectId = projectId;
    this.folder = folder;
    const poller: NodeType = {
      description: described('poller', { polling: true }),
      poll: (context) => this.poll(context),
    };
    const listener: NodeType = { description: described('listener'), trigger: (context) => this.trigger(context) };
    const nodeTypes = new Map([
      ['test.poller', poller],
      ['test.listener', listener],
    ]);
    this.#nodePackages = { ...noNodePackages, nodeTypes };
  }

  static async start(): Promise<SourceFleet> {
    const folder = await mkdtemp(join(tmpdir(), 'files-'));
    const fleet = await Fleet.start({ BINARY_DIR: folder });
    return new SourceFleet(fleet, await fleet.aProject(), folder);
  }

  get db(): Database {
    return this.#fleet.db;
  }

  worker(settings: Record<string, string> = {}, nodePackages = this.#nodePackages): Promise<RunningWorker> {
    return this.#fleet.work({ nodePackages }, { QUEUE_PREFIX: this.#prefix, ...settings });
  }

  /** Starts a worker that lacks the types. */
  workerWithoutTypes(): Promise<RunningWorker> {
    return this.worker({}, { ...noNodePackages, nodeTypes: new Map() });
  }

  /** Id of another project. */
  anotherProject(): Promise<string> {
    return this.#fleet.aProject();
  }

  /** Id of a new active workflow with this trigger. */
  async activate(
    source: NewTrigger,
    parameters: JsonObject = {},
    credentials: NonNullable<WorkflowNode['credentials']> = {},
    projectId = this.projectId,
  ): Promise<string> {
    const type = source.spec.kind === 'poll' ? 'test.poller' : 'test.listener';
    const nodes = [aNode({ name: 'Source', type, parameters, credentials }), aNode({ name: 'After', type: 'base.no-op' })];
    const workflows = new WorkflowRepository(this.db.kysely);
    const created = { projectId, graph: aChain(nodes), staticData: null, meta: null, authorId: this.#fleet.userId };
    const { id } = await workflows.create(created, all);
    await workflows.activate(id, all, {}, [source]);
    return id;
  }

  async deactivate(id: string): Promise<void> {
    await new WorkflowRepository(this.db.kysely).deactivate(id, all);
  }

  async triggerOf(id: string): Promise<ActiveTrigger> {
    return (await new TriggerRepository(this.db.kysely).list(id))[0] as ActiveTrigger;
  }

  /** Inputs of a workflow's executions, in order. */
  async triggersOf(workflowId: string): Promise<{ output: number; items: { json: JsonObject }[] }[]> {
    const rows = await this.db.kysely
      .selectFrom('executions as e')
      .innerJoin('execution_inputs as i', 'i.execution_id', 'e.id')
      .select('i.data')
      .where('e.workflow_id', '=', workflowId)
      .orderBy('e.id')
      .execute();
    return rows.map(({ data }) => JSON.parse(data.subarray(1).toString()).trigger);
  }

  /** The first input item of each execution of a workflow, once there are `count` of them. */
  async inputsOf(workflowId: string, count = 0): Promise<JsonObject[]> {
    return eventually(async () => {
      const items = (await this.triggersOf(workflowId)).map((trigger) => trigger.items[0]?.json ?? {});
      return items.length >= count && items;
    });
  }

  /** Makes listeners whose open contexts a test can inspect. */
  recordListeners(): ListenContext[] {
    const contexts: ListenContext[] = [];
    this.trigger = async (context) => {
      contexts.push(context);
      return { close: async () => void contexts.splice(contexts.indexOf(context), 1) };
    };
    return contexts;
  }

  /** After a test: the next test has its own queue, because jobs may remain. */
  async reset(): Promise<void> {
    await this.db.kysely.deleteFrom('workflows').execute();
    await this.#fleet.stopWorkers();
    this.#prefix = testRedisPrefix();
  }

  async close(): Promise<void> {
    await this.#fleet.close();
    await rm(this.folder, { recursive: true });
  }
}

/** The contexts, once there are `count` open listeners. */
export function opened(contexts: ListenContext[], count: number): Promise<ListenContext[]> {
  return eventually(() => contexts.length === count && contexts);
}
