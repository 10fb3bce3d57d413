import { setTimeout as delay } from 'node:timers/promises';
import {
  type AppliedRegistrations,
  type LeasedRegistration,
  type PlannedChanges,
  type PlannedRegistration,
  type Registration,
  type RegistrationRepository,
  type RegistrationSubject,
  registrationLeaseMs,
  withRegistrationLease,
} from '@sluice/db';
import { errorMessage, inTime, isAppError, type JsonObject, messageWithHint, randomId } from '@sluice/domain';
import type { OpenedNode, RegistrationCall } from '@sluice/engine';
import type { NodeLogger } from '@sluice/node-sdk';
import { ConflictingRegistrations } from './conflicting-registrations.ts';
import { isUnusableCredential, toRegistrationError } from './errors.ts';
import type { NodeInvoker } from './node-invoker.ts';
import { type ActivationPlan, RegistrationPlanner, timeoutMs } from './registration-planner.ts';
import { isSameAtService, RegistrationStep } from './registration-step.ts';

interface RegistrarOptions {
  registrations: RegistrationRepository;
  nodes: NodeInvoker;
  /** Base URL for services; null if unknown. */
  publicUrl: string | null;
  logger: NodeLogger;
}

/** Registrations that an activation made at remote services before it is committed. */
export interface Registered extends AppliedRegistrations {
  /**
   * Undoes the registrations of a failed activation; workers finish what takes longer. Never
   * rejects.
   */
  undo(): Promise<void>;
}

/** Maximum time for which an activation leases its rows, in milliseconds. */
const limitMs = 180_000;
/** Milliseconds that an activation waits for other processes, and pauses between its checks. */
const waitMs = 5_000;
const pauseMs = 200;

/**
 * Registers the nodes of a version at remote services (`webhookMethods`, `hooks`) before the
 * version becomes active; a failure changes nothing. Each step is first written to a row that the
 * activation leases, so workers can clean up after a crashed process.
 */
export class Registrar {
  readonly #options: RegistrarOptions;
  readonly #planner: RegistrationPlanner;

  constructor(options: RegistrarOptions) {
    this.#options = options;
    this.#planner = new RegistrationPlanner(options);
  }

  /**
   * Throws `RegistrationFailedError`, which names the node, `ValidationError` for invalid
   * parameters and credentials, and `ConflictError` while another activation has leased a row.
   */
  async register(activation: ActivationPlan): Promise<Registered> {
    const planned = await this.#planner.plan(activation);
    const heldBy = `activation:${randomId()}`;
    if (planned.length === 0) return { registrations: [], ended: [], heldBy, undo: async () => undefined };
    const changes = await this.#begin(activation.workflow.id, planned, heldBy);
    const steps = changes.leasedRegistrations.map(
      (row, i) => new RegistrationStep(row, heldBy, planned[i]?.subject ?? row.subject),
    );
    const conflicting = this.#conflicting(changes.ending, heldBy, activation);
    const ids = [...steps.map(({ row }) => row.id), ...conflicting.ids];
    const undo = () => this.#undo(steps, conflicting);
    try {
      await withRegistrationLease(this.#options.registrations, { ids, heldBy, limitMs }, async (signal) => {
        await conflicting.end();
        for (const step of steps) {
          signal.throwIfAborted();
          await this.#registerStep(step, activation);
        }
      });
    } catch (error) {
      await undo();
      throw error;
    }
    const registrations = steps.map(({ row, subject }) => ({ id: row.id, nodeName: subject.node.name }));
    return { registrations, ended: conflicting.ended, heldBy, undo };
  }

  /** Waits a while for a worker that has leased a row: it removes what a deactivation left. */
  async #begin(workflowId: string, planned: readonly PlannedRegistration[], heldBy: string): Promise<PlannedChanges> {
    const until = performance.now() + waitMs;
    for (;;) {
      try {
        return await this.#options.registrations.begin(workflowId, planned, { heldBy, leaseMs: registrationLeaseMs });
      } catch (error) {
        if (!isAppError(error) || error.code !== 'CONFLICT' || performance.now() > until) throw error;
        await delay(pauseMs);
      }
    }
  }

  async #registerStep(step: RegistrationStep, activation: ActivationPlan): Promise<void> {
    const { subject } = step;
    const credentials = this.#credentialsOf(activation);
    try {
      const fields = { workflowId: activation.workflow.id, nodeName: subject.node.name };
      await this.#options.nodes.run(credentials, fields, () => this.#atService(step, activation, credentials));
    } catch (error) {
      if (step.row.fresh && isUnusableCredential(error)) step.touched = false;
      const message = credentials.scrubber.scrubText(messageWithHint(error)).slice(0, 1_000);
      this.#options.logger.warn(
        { workflowId: activation.workflow.id, nodeName: subject.node.name, error: message },
        'node not registered',
      );
      throw toRegistrationError(error, subject.node.name, message);
    }
  }

  /** Keeps an existing registration. Otherwise removes the former one, and creates it. */
  async #atService(
    step: RegistrationStep,
    activation: ActivationPlan,
    credentials: ReturnType<NodeInvoker['credentialsOf']>,
  ): Promise<void> {
    const { subject } = step;
    const { nodes, registrations } = this.#options;
    const functions = await nodes.functions();
    const callFor = async (of: RegistrationSubject, data: JsonObject) => ({
      node: await this.#openSubject(of, activation, credentials),
      name: step.row.name,
      urls: of.urls,
      data,
    });
    const row = await this.#withoutBegun(step, callFor);
    const isSame = isSameAtService(row.subject, subject);
    const current = await callFor(subject, structuredClone(row.data));
    if (isSame && (await inTime(functions.isRegistered(current), timeoutMs))) {
      step.touched ||= row.fresh;
      await registrations.replaceSubject(step.lease, subject, row.data, current.data);
      return;
    }
    step.touched = true;
    if (!row.fresh) {
      if (!isSame && !row.isLive) await this.#endFormer(await callFor(row.subject, structuredClone(row.data)), !row.wanted);
      await registrations.mergeData(row.id, row.data, {}, step.lease.heldBy);
    }
    // Noted first, because hooks cannot tell whether they were called.
    const before: JsonObject = row.name === 'hooks' ? { called: true } : {};
    await registrations.mergeData(row.id, {}, before, step.lease.heldBy);
    if (!row.fresh && !isSame) {
      step.replacement = subject;
      await registrations.recordReplacement(row.id, step.lease.heldBy, subject);
    }
    const call = await callFor(subject, {});
    const isThere = !isSame && (await inTime(functions.isRegistered(call), timeoutMs));
    if (!isThere) await inTime(functions.register(call), timeoutMs);
    await registrations.replaceSubject(step.lease, subject, before, call.data);
  }

  /** Removes what an earlier, unfinished activation may have created. */
  async #withoutBegun(
    step: RegistrationStep,
    callFor: (of: RegistrationSubject, data: JsonObject) => Promise<RegistrationCall>,
  ): Promise<LeasedRegistration> {
    const { row } = step;
    if (!row.replacement) return row;
    const { registrations } = this.#options;
    step.touched = true;
    if (!row.isReplacementLive) await this.#endFormer(await callFor(row.replacement, structuredClone(row.data)), true);
    await registrations.mergeData(row.id, row.data, {}, step.lease.heldBy);
    await registrations.recordReplacement(row.id, step.lease.heldBy, null);
    step.replacement = null;
    return { ...row, data: {}, replacement: null };
  }

  /**
   * Ignores a failed removal if the credential cannot be used any more. The same applies to an
   * unwanted registration without data: most likely the service rejected its creation, and now
   * rejects the removal for the same reason.
   */
  async #endFormer(former: RegistrationCall, isUnwanted = false): Promise<void> {
    const isDoubtful = isUnwanted && Object.keys(former.data).length === 0;
    const { nodes, logger } = this.#options;
    const { needsRemoval, unregister } = await nodes.functions();
    try {
      if (await inTime(needsRemoval(former), timeoutMs)) await inTime(unregister(former), timeoutMs);
    } catch (error) {
      if (!isDoubtful && !isUnusableCredential(error)) throw error;
      const { node, workflow } = former.node;
      logger.warn(
        { workflowId: workflow.id, nodeName: node.name, urls: former.urls },
        'a former registration could not be removed',
      );
    }
  }

  #conflicting(rows: readonly LeasedRegistration[], heldBy: string, activation: ActivationPlan): ConflictingRegistrations {
    const { registrations, logger } = this.#options;
    return new ConflictingRegistrations({ registrations, rows, heldBy, logger, end: (row) => this.#end(row, activation) });
  }

  /**
   * Removes the registration of a row, and one that a crashed activation may have created instead.
   * Returns whether the service received a request.
   */
  async #end(row: Registration, activation: ActivationPlan): Promise<boolean> {
    const credentials = this.#credentialsOf(activation);
    const { nodes } = this.#options;
    const { needsRemoval, unregister } = await nodes.functions();
    const former = [
      ...(row.replacement && !row.isReplacementLive ? [row.replacement] : []),
      ...(row.isLive ? [] : [row.subject]),
    ];
    let ended = false;
    try {
      await nodes.run(credentials, { workflowId: row.workflowId, nodeName: row.nodeName }, async () => {
        for (const subject of former) {
          const node = await this.#openSubject(subject, activation, credentials);
          const call = { node, name: row.name, urls: subject.urls, data: structuredClone(row.data) };
          if (!(await inTime(needsRemoval(call), timeoutMs))) continue;
          ended = true;
          await inTime(unregister(call), timeoutMs);
        }
      });
    } catch (error) {
      throw new Error(credentials.scrubber.scrubText(errorMessage(error)));
    }
    return ended;
  }

  async #undo(steps: readonly RegistrationStep[], conflicting: ConflictingRegistrations): Promise<void> {
    const { logger } = this.#options;
    const undone = [...steps.map((step) => () => this.#undoStep(step)), () => conflicting.release()];
    for (const undo of undone) {
      await undo().catch((error: unknown) =>
        logger.warn({ error: errorMessage(error) }, 'registration not undone; workers will undo it'),
      );
    }
  }

  /**
   * Workers remove the new registration and restore the former one. There is nothing to remove if
   * the service received no request, for example because the credential is missing.
   */
  async #undoStep({ row, lease, replacement, touched }: RegistrationStep): Promise<void> {
    const { registrations } = this.#options;
    const { heldBy } = lease;
    if (row.fresh && !touched) return registrations.discard(row.id, heldBy);
    if (!row.fresh && (await registrations.isLeased(row.id, heldBy))) {
      const data = await registrations.dataOf(row.id);
      const dataToStore = replacement ? data : touched ? {} : row.data;
      await registrations.replaceSubject(lease, row.subject, data, dataToStore, replacement);
    }
    await registrations.release(row.id, heldBy, touched || row.wasDue);
  }

  #openSubject(
    { node, workflow }: RegistrationSubject,
    activation: ActivationPlan,
    credentials: ReturnType<NodeInvoker['credentialsOf']>,
  ): Promise<OpenedNode> {
    return this.#options.nodes.open({
      workflow: { id: workflow.id, projectId: activation.workflow.projectId, active: true },
      graph: { ...activation.graph, name: workflow.name, nodes: [node], connections: {} },
      node,
      resolved: node.parameters,
      credentials,
      signal: AbortSignal.timeout(timeoutMs * 3),
    });
  }

  #credentialsOf({ workflow, userId }: ActivationPlan): ReturnType<NodeInvoker['credentialsOf']> {
    return this.#options.nodes.credentialsOfWorkflow(workflow.id, workflow.projectId, userId);
  }
}
