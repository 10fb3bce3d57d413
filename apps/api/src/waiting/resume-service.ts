import { timingSafeEqual } from 'node:crypto';
import type { CallWait, CredentialUseRepository, ExecutionWaits, StoredBinary } from '@sluice/db';
import {
  AppError,
  type CallAuthentication,
  ConflictError,
  type ExecutionId,
  ForbiddenError,
  isExecutionId,
  NotFoundError,
  type ReceivedCall,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import type { Delivery } from '../executions/delivery.ts';
import type { ExecutionSignals } from '../executions/execution-signals.ts';
import type { CallWaiter } from '../webhooks/call-waiter.ts';
import { isAllowedAddress } from './allowed-address.ts';
import type { CallAuthenticator } from './call-authenticator.ts';
import { isBot } from './is-bot.ts';

export interface ResumeServiceOptions {
  waits: ExecutionWaits;
  credentials: CredentialUseRepository;
  authenticator: CallAuthenticator;
  delivery: Delivery;
  signals: ExecutionSignals;
  waiter: CallWaiter;
}

/** A call as it comes in, before its body is read. */
export interface ResumeAttempt {
  executionId: string;
  token: string;
  suffix: string;
  method: string;
  /** Of the caller; proxies that are believed taken into account. */
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The method of a call is not the one that is waited for. */
export class MethodNotAllowedError extends AppError {
  readonly allowed: string;

  constructor(allowed: string) {
    super({ code: 'METHOD_NOT_ALLOWED', message: `this address is to be called with ${allowed}` });
    this.allowed = allowed;
  }
}

/** Makes waiting executions go on with the calls that they wait for. */
export class ResumeService {
  readonly #options: ResumeServiceOptions;

  constructor(options: ResumeServiceOptions) {
    this.#options = options;
  }

  /**
   * The wait that a call is for. Throws `NotFoundError` (nothing waits, or has waited, at that address), `ConflictError` (the execution
   * has gone on already), `MethodNotAllowedError`, `ForbiddenError` (from where, or from whom, no call counts), `CallUnauthorizedError`.
   */
  async find(attempt: ResumeAttempt): Promise<CallWait> {
    const wait = await this.#waitAt(attempt);
    const { call } = wait;
    if (attempt.method !== call.method) throw new MethodNotAllowedError(call.method);
    if (!isAllowedAddress(attempt.address, call.allowedAddresses))
      throw new ForbiddenError('calls from this address do not count');
    if (call.ignoresBots && isBot(attempt.headers['user-agent'])) throw new ForbiddenError('calls of programs do not count');
    if (call.authentication) await this.#authenticate(call.authentication, attempt, wait);
    if (!wait.open) throw alreadyResumed();
    return wait;
  }

  /**
   * Resolves after the commit. Throws `ConflictError` when another call was first, and `UnavailableError` where an answer could not be waited
   * for. `files`: what the call has brought, which the execution then holds.
   */
  async resume(wait: CallWait, received: ReceivedCall, files: readonly StoredBinary[]): Promise<void> {
    const { waits, delivery, signals } = this.#options;
    if (wait.call.answer) delivery.assertUp();
    if (!(await waits.resumeByCall(wait, received, files))) throw alreadyResumed();
    await delivery.enqueue({ executionId: wait.executionId, attempt: wait.attempt });
    await signals.changed([wait.executionId]);
  }

  /** What the workflow answers to the call that has ended a wait; `undefined` where nobody waits for it any more. Throws `NoAnswerError`. */
  async answer(
    { executionId, attempt }: CallWait,
    response: WebhookResponse,
    gone: AbortSignal,
  ): Promise<WebhookAnswer | undefined> {
    return this.#options.waiter.answerOf(executionId, response, { toWait: attempt, gone });
  }

  async #authenticate(asked: CallAuthentication, { headers }: ResumeAttempt, { executionId }: CallWait): Promise<void> {
    const { credentials, authenticator } = this.#options;
    await authenticator.check(asked, await credentials.find(asked.credentialId, executionId), headers);
  }

  async #waitAt({ executionId, token, suffix }: ResumeAttempt): Promise<CallWait> {
    const found = isExecutionId(executionId) ? await this.#options.waits.listCalls(executionId as ExecutionId) : [];
    const own = found.filter(
      ({ resumeToken, call }) => !call.form && isSame(resumeToken, token) && (call.suffix ?? '') === suffix,
    );
    const wait = own.find(({ open }) => open) ?? own[0];
    if (!wait) throw new NotFoundError('nothing waits for a call at this address');
    return wait;
  }
}

function alreadyResumed(): ConflictError {
  return new ConflictError('the execution does not wait for this call any more', 'ALREADY_RESUMED');
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
