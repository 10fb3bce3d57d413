import type { Registration, RegistrationRepository } from '@sluice/db';
import { errorMessage, randomId, untilAborted, userKeyed } from '@sluice/domain';
import { type EnginePorts, isRegistered, openNode, type RegistrationCall, register, unregister } from '@sluice/engine';
import type { Logger } from '@sluice/logger';
import type { NodeLogger } from '@sluice/node-sdk';
import type { SecretScrubber } from '@sluice/vault';
import type { CredentialOpener } from '../credentials/credential-opener.ts';
import { ExecutionCredentials } from '../credentials/execution-credentials.ts';
import { scrubbedLogger } from '../credentials/scrubbed-logger.ts';
import { repeatedly } from '../repeatedly.ts';
import { withFields } from '../with-fields.ts';

export interface RegistrationClockOptions {
  registrations: Pick<RegistrationRepository, 'take' | 'settle' | 'fail' | 'keepData' | 'noteBegun'>;
  engine: EnginePorts;
  /** Node types of installed packages that this worker has, as `foreignTypeNames` gives them. */
  nodeTypes: readonly string[];
  credentials: CredentialOpener;
  vars(): Promise<Readonly<Record<string, string>>>;
  env: Readonly<Record<string, string>>;
  logger: Logger;
  /** Milliseconds that one call of a service may take; default 20,000. */
  timeoutMs?: number;
  /** Milliseconds between two looks; default 2,000. */
  lookMs?: number;
}

const batch = 4;
const maxMessageLength = 1_000;

/**
 * Brings about at remote services what activations and deactivations have left to be done: ends registrations whose workflow is no longer active, or gone, and
 * makes those again that an activation has lost. Runs in every worker, all at once: each row is held by one while it is at it. What fails comes again,
 * after a pause that grows to ten minutes; the end of a registration is tried for a day.
 */
export class RegistrationClock {
  readonly #options: RegistrationClockOptions;
  readonly #stopping = new AbortController();

  constructor(options: RegistrationClockOptions) {
    this.#options = options;
  }

  start(): void {
    repeatedly(() => this.look(), {
      pauseMs: this.#options.lookMs ?? 2_000,
      signal: this.#stopping.signal,
      onError: (error) => this.#options.logger.warn({ error: errorMessage(error) }, 'registrations not looked at'),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** Takes what is due, until nothing is. */
  async look(): Promise<void> {
    const { registrations, nodeTypes } = this.#options;
    const heldBy = `worker:${randomId()}`;
    // Asking, ending and making may each take their time.
    const holdMs = this.#timeoutMs * 3 + 30_000;
    for (;;) {
      if (this.#stopping.signal.aborted) return;
      const due = await registrations.take(batch, { heldBy, holdMs, nodeTypes });
      await Promise.all(due.map((registration) => this.#bringAbout(registration, heldBy)));
      if (due.length < batch) return;
    }
  }

  async #bringAbout(registration: Registration, heldBy: string): Promise<void> {
    const { registrations, engine, credentials: opener } = this.#options;
    const { nodeName, name, wanted, subject, projectId } = registration;
    const credentials = new ExecutionCredentials(opener, { workflowId: subject.workflow.id, projectId });
    const fields = { workflowId: subject.workflow.id, nodeName, registration: name, wanted };
    const logger = scrubbedLogger(withFields(this.#options.logger, fields), credentials.scrubber);
    try {
      const work = () => this.#atService(registration, credentials, logger);
      await (engine.strays ? engine.strays.run({ logger }, work) : work());
      await registrations.settle(registration, heldBy);
      logger.info({}, wanted ? 'registered at its service again' : 'registration at its service ended');
    } catch (error) {
      const message = messageOf(error, credentials.scrubber);
      const outcome = await registrations.fail(registration, heldBy, message);
      if (outcome === 'retried') logger.warn({ error: message }, 'registration is tried again');
      else
        logger.error(
          { error: message, urls: subject.urls },
          'the end of a registration was given up: the service may go on to call',
        );
    }
  }

  async #atService(taken: Registration, credentials: ExecutionCredentials, logger: NodeLogger): Promise<void> {
    const registration = await this.#withoutBegun(taken, credentials, logger);
    const call = await this.#open(registration, credentials, logger);
    const isThere = await this.#inTime(isRegistered(call));
    if (isThere === registration.wanted) return;
    await this.#inTime(isThere ? unregister(call) : register(call));
    await this.#options.registrations.keepData(registration.id, registration.data, call.data);
  }

  /** Ends what an activation may have made that has not come to its end, to make room for what was there before. */
  async #withoutBegun(
    registration: Registration,
    credentials: ExecutionCredentials,
    logger: NodeLogger,
  ): Promise<Registration> {
    const { id, begun, data } = registration;
    if (!begun) return registration;
    const { registrations } = this.#options;
    const call = await this.#open({ ...registration, subject: begun }, credentials, logger);
    if (await this.#inTime(isRegistered(call))) await this.#inTime(unregister(call));
    await registrations.keepData(id, data, {});
    await registrations.noteBegun(id, null);
    return { ...registration, begun: null, data: {} };
  }

  async #open(
    { subject, data, name }: Registration,
    credentials: ExecutionCredentials,
    logger: NodeLogger,
  ): Promise<RegistrationCall> {
    const { engine, vars, env } = this.#options;
    const { node, workflow, timezone, urls } = subject;
    const opened = await openNode(engine, {
      workflow: { id: workflow.id, active: true },
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

function messageOf(error: unknown, scrubber: SecretScrubber): string {
  // What Postgres cannot hold as text would make the row due again at once.
  return scrubber.scrubText(errorMessage(error)).slice(0, maxMessageLength).replaceAll('\u0000', '').toWellFormed();
}
