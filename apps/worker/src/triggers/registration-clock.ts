import type { CredentialSession } from '@sluice/credentials';
import { type Registration, type RegistrationRepository, registrationLeaseMs, withRegistrationLease } from '@sluice/db';
import { inTime, randomId, triggerFailed, userKeyed } from '@sluice/domain';
import {
  type EnginePorts,
  isRegistered,
  needsRemoval,
  openNode,
  type RegistrationCall,
  register,
  unregister,
} from '@sluice/engine';
import { type Logger, scrubbedLogger, withFields } from '@sluice/logger';
import type { NodeLogger } from '@sluice/node-sdk';
import type { WorkerCredentials } from '../credentials/worker-credentials.ts';
import { PeriodicService, type Rounds } from '../periodic-service.ts';
import { failureMessage } from './sources/source-failure.ts';

interface RegistrationClockOptions {
  registrations: Pick<RegistrationRepository, 'take' | 'extend' | 'settle' | 'fail' | 'mergeData' | 'recordReplacement'>;
  engine: EnginePorts;
  /** This worker's types of installed packages, as `foreignTypeNames` returns them. */
  nodeTypes: readonly string[];
  credentials: WorkerCredentials;
  vars(): Promise<Readonly<Record<string, string>>>;
  env: Readonly<Record<string, string>>;
  logger: Logger;
  /** Timeout of one service request in milliseconds; default 20,000. */
  timeoutMs?: number;
  /** Interval of checks in milliseconds; default 2,000. */
  checkEveryMs?: number;
}

/** A registration leased to this worker. */
type TakenRegistration = Registration & { heldBy: string };

const batchSize = 4;

/**
 * Completes changes at remote services after activations and deactivations: removes registrations
 * whose workflow is inactive or deleted, and restores registrations that an activation lost. Runs
 * in all workers concurrently: each row is leased to one worker at a time. Failures are retried
 * after a pause that grows to ten minutes; removals are retried for a day.
 */
export class RegistrationClock extends PeriodicService<RegistrationClockOptions> {
  protected get rounds(): Rounds {
    return { pauseMs: this.options.checkEveryMs ?? 2_000, failure: 'registrations not checked' };
  }

  /** Handles all due registrations. */
  async round(): Promise<void> {
    const { registrations, nodeTypes } = this.options;
    const heldBy = `worker:${randomId()}`;
    for (;;) {
      if (this.stopping.aborted) return;
      const due = await registrations.take(batchSize, { heldBy, leaseMs: registrationLeaseMs, nodeTypes });
      await Promise.all(due.map((registration) => this.#settleRegistration(registration, heldBy)));
      if (due.length < batchSize) return;
    }
  }

  async #settleRegistration(registration: Registration, heldBy: string): Promise<void> {
    const { registrations, engine } = this.options;
    const { nodeName, name, wanted, subject, projectId } = registration;
    const credentials = this.options.credentials.forProject({ workflowId: subject.workflow.id, projectId });
    const fields = { workflowId: subject.workflow.id, nodeName, registration: name, wanted };
    const logger = scrubbedLogger(withFields(this.options.logger, fields), credentials.scrubber);
    try {
      const leasedRegistration = { ...registration, heldBy };
      const work = () => this.#atService(leasedRegistration, credentials, logger);
      const ended = await withRegistrationLease(registrations, { ids: [registration.id], heldBy }, () =>
        engine.uncaughtErrors ? engine.uncaughtErrors.run({ logger }, work) : work(),
      );
      await registrations.settle(registration, heldBy, ended);
      logger.info({}, wanted ? 'registration at the service restored' : 'registration removed from the service');
    } catch (error) {
      triggerFailed.publish({ kind: 'registration' });
      const message = failureMessage(error, credentials.scrubber);
      const outcome = await registrations.fail(registration, heldBy, message);
      if (outcome === 'retried') logger.warn({ error: message }, 'registration will be retried');
      else
        logger.error(
          { error: message, urls: subject.urls },
          'the removal of a registration was abandoned: the service may continue to send requests',
        );
    }
  }

  /** Whether the service was asked to remove it. */
  async #atService(
    leasedRegistration: TakenRegistration,
    credentials: CredentialSession,
    logger: NodeLogger,
  ): Promise<boolean> {
    const registration = await this.#withoutUnfinished(leasedRegistration, credentials, logger);
    // To the service, another registration is identical, and would be removed, too.
    if (!registration.wanted && registration.isLive) return false;
    const call = await this.#open(registration, credentials, logger);
    const isThere = await this.#inTime(registration.wanted ? isRegistered(call) : needsRemoval(call));
    if (isThere === registration.wanted) return false;
    await this.#inTime(isThere ? unregister(call) : register(call));
    await this.options.registrations.mergeData(registration.id, registration.data, call.data, registration.heldBy);
    return isThere;
  }

  /**
   * Removes the result of an unfinished activation, before the previous registration is restored.
   */
  async #withoutUnfinished(
    registration: TakenRegistration,
    credentials: CredentialSession,
    logger: NodeLogger,
  ): Promise<TakenRegistration> {
    const { id, replacement, data, heldBy } = registration;
    if (!replacement) return registration;
    const { registrations } = this.options;
    const call = await this.#open({ ...registration, subject: replacement }, credentials, logger);
    if (!registration.isReplacementLive && (await this.#inTime(needsRemoval(call)))) await this.#inTime(unregister(call));
    await registrations.mergeData(id, data, {}, heldBy);
    await registrations.recordReplacement(id, heldBy, null);
    return { ...registration, replacement: null, data: {} };
  }

  async #open(
    { subject, data, name, projectId }: Registration,
    credentials: CredentialSession,
    logger: NodeLogger,
  ): Promise<RegistrationCall> {
    const { engine, vars, env } = this.options;
    const { node, workflow, timezone, urls } = subject;
    const opened = await openNode(engine, {
      workflow: { id: workflow.id, projectId, active: true },
      graph: { name: workflow.name, nodes: [node], connections: {} },
      node,
      resolved: node.parameters,
      timezone,
      vars: userKeyed(Object.entries(await vars())),
      env,
      credentials,
      signal: AbortSignal.timeout(this.#timeoutMs * 2),
      logger,
    });
    return { node: opened, name, urls, data: structuredClone(data) };
  }

  get #timeoutMs(): number {
    return this.options.timeoutMs ?? 20_000;
  }

  #inTime<T>(work: Promise<T>): Promise<T> {
    return inTime(work, this.#timeoutMs);
  }
}
