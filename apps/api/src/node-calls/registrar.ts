import { setTimeout as delay } from 'node:timers/promises';
import type {
  HeldRegistration,
  NewTrigger,
  PlannedRegistration,
  RegistrationRepository,
  RegistrationSubject,
  WorkflowHead,
} from '@sluice/db';
import {
  errorMessage,
  isAppError,
  type JsonObject,
  randomId,
  untilAborted,
  ValidationError,
  type WorkflowGraph,
  type WorkflowNode,
} from '@sluice/domain';
import type { OpenedNode, RegistrationCall } from '@sluice/engine';
import { type NodeLogger, nodeTypeOfVersion } from '@sluice/node-sdk';
import { RegistrationFailedError } from './errors.ts';
import { isSameAtService } from './is-same-at-service.ts';
import type { NodeCaller } from './node-caller.ts';

export interface RegistrarOptions {
  registrations: RegistrationRepository;
  nodes: NodeCaller;
  /** As services reach the API; null: nobody knows. */
  publicUrl: string | null;
  /** Milliseconds that one call of a service may take; default 20,000. */
  timeoutMs?: number;
  logger: NodeLogger;
}

/** A version that is about to become the active one. */
export interface Activating {
  workflow: Pick<WorkflowHead, 'id' | 'projectId'>;
  graph: WorkflowGraph;
  triggers: readonly NewTrigger[];
  userId: string;
}

/** What an activation has brought about at remote services, before it is committed. */
export interface Registered {
  ids: readonly string[];
  heldBy: string;
  /** The activation has failed: what was done is undone, by a worker where that takes longer. Never rejects. */
  undo(): Promise<void>;
}

/** How long an activation may be at it, in milliseconds. */
const holdMs = 180_000;
/** How long it waits for others to be done, looking again after each pause; milliseconds. */
const waitMs = 5_000;
const pauseMs = 200;

/**
 * Registers what the nodes of a version want at remote services (`webhookMethods`, `hooks`), before the version becomes active: a failure leaves everything as
 * it was. Each step is noted in a row first, which the activation holds, so that a process that dies leaves nothing behind that nobody looks after.
 */
export class Registrar {
  readonly #options: RegistrarOptions;

  constructor(options: RegistrarOptions) {
    this.#options = options;
  }

  /**
   * Throws `RegistrationFailedError`, which names the node, `ValidationError` for parameters and credentials that are not good, and `ConflictError` where
   * somebody else is at it.
   */
  async bringAbout(activating: Activating): Promise<Registered> {
    const planned = await this.#plan(activating);
    const heldBy = `activation:${randomId()}`;
    if (planned.length === 0) return { ids: [], heldBy, undo: async () => undefined };
    const rows = await this.#begin(activating.workflow.id, planned, heldBy);
    const steps = rows.map((row, i) => new Step(row, planned[i]?.subject ?? row.subject));
    const undo = () => this.#undo(steps, heldBy, activating);
    try {
      for (const step of steps) await this.#bring(step, activating);
    } catch (error) {
      await undo();
      throw error;
    }
    return { ids: rows.map(({ id }) => id), heldBy, undo };
  }

  /** Waits for a while where a worker is just at one of them: it ends what a deactivation has left. */
  async #begin(workflowId: string, planned: readonly PlannedRegistration[], heldBy: string): Promise<HeldRegistration[]> {
    const until = performance.now() + waitMs;
    for (;;) {
      try {
        return await this.#options.registrations.begin(workflowId, planned, { heldBy, holdMs });
      } catch (error) {
        if (!isAppError(error) || error.code !== 'CONFLICT' || performance.now() > until) throw error;
        await delay(pauseMs);
      }
    }
  }

  async #plan(activating: Activating): Promise<PlannedRegistration[]> {
    const planned: PlannedRegistration[] = [];
    const { graph } = activating;
    const { ports, registrationNames } = graph.nodes.length > 0 ? await this.#options.nodes.tools() : noTools;
    for (const [index, node] of graph.nodes.entries()) {
      const type = node.disabled ? undefined : ports?.nodeTypes.find(node.type);
      if (!type) continue;
      const version = node.typeVersion ?? type.description.defaultVersion ?? Math.max(...[type.description.version].flat());
      const names = registrationNames?.(nodeTypeOfVersion(type, version)) ?? [];
      if (names.length === 0) continue;
      const subject = await this.#subjectOf(node, index, activating);
      planned.push(...names.map((name) => ({ nodeName: node.name, name, subject })));
    }
    return planned;
  }

  async #subjectOf(node: WorkflowNode, index: number, activating: Activating): Promise<RegistrationSubject> {
    const { workflow, graph, triggers } = activating;
    const { nodes, publicUrl } = this.#options;
    const routes = triggers.flatMap(({ nodeName, spec }) => {
      if (nodeName !== node.name || spec.kind !== 'webhook' || !spec.described) return [];
      return [{ method: spec.methods[0] ?? '', path: spec.path, webhookName: spec.described.name }];
    });
    const urls = routes.map(({ webhookName, path }) => [webhookName, `${publicUrl}/webhook/${path}`] as const);
    try {
      const opened = await this.#open(activating, graph, node);
      return {
        workflow: { id: workflow.id, name: graph.name },
        node: { ...node, parameters: opened.parameters() },
        urls: publicUrl === null ? {} : Object.fromEntries(urls),
        routes,
        timezone: nodes.timezoneOf(graph.settings),
      };
    } catch (error) {
      if (!isAppError(error)) throw error;
      const path = `/nodes/${index}/parameters`;
      throw new ValidationError('the workflow cannot be activated', [
        { path, message: `node "${node.name}": ${error.message}` },
      ]);
    }
  }

  async #bring(step: Step, activating: Activating): Promise<void> {
    const { row, subject } = step;
    const credentials = this.#credentialsOf(activating);
    try {
      const fields = { workflowId: activating.workflow.id, nodeName: row.nodeName };
      await this.#options.nodes.run(credentials, fields, () => this.#atService(step, activating, credentials));
    } catch (error) {
      const message = credentials.scrubber.scrubText(errorMessage(error)).slice(0, 1_000);
      this.#options.logger.warn(
        { workflowId: activating.workflow.id, nodeName: row.nodeName, error: message },
        'not registered',
      );
      throw failure(error, subject.node.name, message);
    }
  }

  /** Is it there? Else: end what was there before, and make it. */
  async #atService(step: Step, activating: Activating, credentials: ReturnType<NodeCaller['credentialsOf']>): Promise<void> {
    const { subject } = step;
    const { nodes, registrations } = this.#options;
    const tools = await nodes.tools();
    const call = async (of: RegistrationSubject, data: JsonObject) => ({
      node: await this.#openSubject(of, activating, credentials),
      name: step.row.name,
      urls: of.urls,
      data,
    });
    const row = await this.#withoutBegun(step, call);
    const isSame = isSameAtService(row.subject, subject);
    const current = await call(subject, structuredClone(row.data));
    if (isSame && (await this.#inTime(tools.isRegistered(current)))) {
      await registrations.replaceSubject(row.id, subject, row.data, current.data);
      return;
    }
    step.touched = true;
    if (!row.fresh) {
      if (!isSame) await this.#endFormer(await call(row.subject, structuredClone(row.data)));
      await registrations.keepData(row.id, row.data, {});
    }
    // Hooks cannot be asked whether they have been called: it is noted before.
    const before: JsonObject = row.name === 'hooks' ? { called: true } : {};
    await registrations.keepData(row.id, {}, before);
    if (!row.fresh && !isSame) {
      step.begun = subject;
      await registrations.noteBegun(row.id, subject);
    }
    const made = await call(subject, {});
    const isThere = !isSame && (await this.#inTime(tools.isRegistered(made)));
    if (!isThere) await this.#inTime(tools.register(made));
    await registrations.replaceSubject(row.id, subject, before, made.data);
  }

  /** Ends what an activation before this one may have made, and has not come to its end over. */
  async #withoutBegun(
    step: Step,
    call: (of: RegistrationSubject, data: JsonObject) => Promise<RegistrationCall>,
  ): Promise<HeldRegistration> {
    const { row } = step;
    if (!row.begun) return row;
    const { registrations } = this.#options;
    step.touched = true;
    await this.#endFormer(await call(row.begun, structuredClone(row.data)));
    await registrations.keepData(row.id, row.data, {});
    await registrations.noteBegun(row.id, null);
    step.begun = null;
    return { ...row, data: {}, begun: null };
  }

  /** What a credential has registered that may not be used any more stays: nobody could end it. */
  async #endFormer(former: RegistrationCall): Promise<void> {
    const { nodes, logger } = this.#options;
    const { isRegistered, unregister } = await nodes.tools();
    try {
      if (await this.#inTime(isRegistered(former))) await this.#inTime(unregister(former));
    } catch (error) {
      if (!isAppError(error) || !lostCredentialCodes.has(error.code)) throw error;
      const { node, workflow } = former.node;
      logger.warn(
        { workflowId: workflow.id, nodeName: node.name, urls: former.urls },
        'a former registration could not be ended',
      );
    }
  }

  async #undo(steps: readonly Step[], heldBy: string, activating: Activating): Promise<void> {
    for (const step of steps) {
      try {
        await this.#undoStep(step, heldBy, activating);
      } catch (error) {
        this.#options.logger.warn(
          { error: errorMessage(error), nodeName: step.row.nodeName },
          'a registration is left to the workers',
        );
      }
    }
  }

  /** Workers end what is new, and make anew what it was to take the place of. */
  async #undoStep({ row, begun, touched }: Step, heldBy: string, { workflow }: Activating): Promise<void> {
    const { registrations } = this.#options;
    if (!row.fresh && (await registrations.isHeld(row.id, heldBy))) {
      const data = (await registrations.find(workflow.id, row.nodeName, row.name))?.data ?? {};
      const kept = begun ? data : touched ? {} : row.data;
      await registrations.replaceSubject(row.id, row.subject, data, kept, begun);
    }
    await registrations.giveUp(row.id, heldBy, touched);
  }

  #openSubject(
    { node, workflow }: RegistrationSubject,
    activating: Activating,
    credentials: ReturnType<NodeCaller['credentialsOf']>,
  ): Promise<OpenedNode> {
    return this.#options.nodes.open({
      workflow: { id: workflow.id, active: true },
      graph: { ...activating.graph, name: workflow.name, nodes: [node], connections: {} },
      node,
      resolved: node.parameters,
      credentials,
      signal: AbortSignal.timeout(this.#timeoutMs * 3),
    });
  }

  #open(activating: Activating, graph: WorkflowGraph, node: WorkflowNode): Promise<OpenedNode> {
    const workflow = { id: activating.workflow.id, active: true };
    const credentials = this.#credentialsOf(activating);
    return this.#options.nodes.open({ workflow, graph, node, credentials, signal: AbortSignal.timeout(this.#timeoutMs) });
  }

  #credentialsOf({ workflow, userId }: Activating): ReturnType<NodeCaller['credentialsOf']> {
    return this.#options.nodes.credentialsOfWorkflow(workflow.id, workflow.projectId, userId);
  }

  get #timeoutMs(): number {
    return this.#options.timeoutMs ?? 20_000;
  }

  /** Also a call that does not look at its signal comes to an end. */
  async #inTime<T>(work: Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    try {
      return await untilAborted(work, signal);
    } catch (error) {
      throw signal.aborted ? new Error(`no answer within ${this.#timeoutMs / 1000} seconds`) : error;
    }
  }
}

const lostCredentialCodes: ReadonlySet<string> = new Set(['CREDENTIAL_NOT_FOUND', 'CREDENTIAL_NOT_ACCESSIBLE']);

const noTools = { ports: undefined, registrationNames: undefined };

/** One registration on its way. */
class Step {
  readonly row: HeldRegistration;
  readonly subject: RegistrationSubject;
  /** What was at the service may not be there any more, or something is that was not. */
  touched = false;
  /** What may be there in place of what the row says. */
  begun: RegistrationSubject | null;

  constructor(row: HeldRegistration, subject: RegistrationSubject) {
    this.row = row;
    this.begun = row.begun;
    this.subject = subject;
  }
}

function failure(error: unknown, nodeName: string, message: string): Error {
  if (!isAppError(error) || !error.code.startsWith('CREDENTIAL_')) return new RegistrationFailedError(nodeName, message);
  return new ValidationError('the workflow cannot be activated', [
    { path: '/nodes', message: `node "${nodeName}": ${message}` },
  ]);
}
