import { timingSafeEqual } from 'node:crypto';
import type { CallWait, CredentialUseRepository, ExecutionWaits, StoredBinary } from '@sluice/db';
import {
  type CallAuthentication,
  ForbiddenError,
  NotFoundError,
  type ReceivedCall,
  type WebhookAnswer,
  type WebhookResponse,
} from '@sluice/domain';
import type { Delivery } from '../../executions/delivery.ts';
import type { ExecutionSignals } from '../../executions/execution-signals.ts';
import { isAllowedAddress } from '../shared/allowed-address.ts';
import { AlreadyResumedError, MethodNotAllowedError } from '../shared/errors.ts';
import { isBot } from '../shared/is-bot.ts';
import type { CredentialProof, RequestAuthenticator } from '../shared/request-authenticator.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';
import type { UpcomingWaits } from './upcoming-waits.ts';

export interface ResumeServiceOptions {
  waits: Pick<ExecutionWaits, 'resumeByCall'>;
  upcoming: Pick<UpcomingWaits, 'find' | 'look'>;
  credentials: CredentialUseRepository;
  authenticator: RequestAuthenticator;
  delivery: Delivery;
  signals: ExecutionSignals;
  waiter: WorkflowResponseWaiter;
}

/** What the address of a call says. */
export interface ResumeAddress {
  executionId: string;
  token: string;
  suffix: string;
}

/** A call as it comes in, before its body is read. */
interface ResumeRequest extends ResumeAddress {
  method: string;
  /** Of the caller; proxies that are believed taken into account. */
  address: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A wait that a call may end, as far as its head tells. */
export interface AuthorizedResume {
  wait: CallWait;
  /** `undefined` where nothing is asked for. */
  proof: CredentialProof | undefined;
}

/** Makes waiting executions go on with the calls that they wait for. */
export class ResumeService {
  readonly #options: ResumeServiceOptions;

  constructor(options: ResumeServiceOptions) {
    this.#options = options;
  }

  /**
   * The wait at the address of a call, whatever the call is; one that has not begun is waited for a while. Throws `NotFoundError` (nothing waits, has
   * waited, or will, at that address), `NotWaitingYetError`, `AlreadyResumedError`. `gone`: nobody waits any more.
   */
  async waitAt(attempt: ResumeAddress, gone: AbortSignal): Promise<CallWait> {
    const wait = await this.#options.upcoming.find(attempt, (calls) => waitOf(attempt, calls), gone);
    if (!wait) throw nothingWaits();
    return wait;
  }

  /**
   * The methods that a page may call an address with, told at once: browsers ask before they call, and tell the page nothing where they are refused. It is the
   * call that is held for a wait which has not begun, and learns that it comes too late. Throws `NotFoundError` as `waitAt` does.
   */
  async methodsAt(called: ResumeAddress): Promise<string[]> {
    const seen = await this.#options.upcoming.look(called, (calls) => waitOf(called, calls));
    if (!seen) throw nothingWaits();
    return [typeof seen === 'string' ? '*' : seen.call.method];
  }

  /**
   * The wait that a call is for. Throws as `waitAt`, and `MethodNotAllowedError`, `ForbiddenError` (from where, or from whom, no call counts),
   * `UnauthorizedRequestError`, and `AlreadyResumedError` for a wait that is over.
   */
  async find(attempt: ResumeRequest, gone: AbortSignal): Promise<AuthorizedResume> {
    const wait = await this.waitAt(attempt, gone);
    const { call } = wait;
    if (attempt.method !== call.method) throw new MethodNotAllowedError(['OPTIONS', call.method].toSorted());
    if (!isAllowedAddress(attempt.address, call.allowedAddresses))
      throw new ForbiddenError('calls from this address do not count');
    if (call.ignoresBots && isBot(attempt.headers['user-agent'])) throw new ForbiddenError('calls of programs do not count');
    const proof = call.authentication && (await this.#authenticate(call.authentication, attempt, wait));
    if (!wait.open) throw new AlreadyResumedError();
    return { wait, proof };
  }

  /**
   * Resolves after the commit. Throws `AlreadyResumedError` when another call was first, and `UnavailableError` where an answer could not be waited
   * for. `files`: what the call has brought, which the execution then holds.
   */
  async resume(wait: CallWait, received: ReceivedCall, files: readonly StoredBinary[]): Promise<void> {
    const { waits, delivery, signals } = this.#options;
    if (wait.call.answer) delivery.assertUp();
    if (!(await waits.resumeByCall(wait, received, files))) throw new AlreadyResumedError();
    // Neither rejects, and nobody has to wait for them: what is committed will run.
    void delivery.enqueue({ executionId: wait.executionId, attempt: wait.attempt });
    void signals.changed([wait.executionId]);
  }

  /** What the workflow answers to the call that has ended a wait; `undefined` where nobody waits for it any more. Throws `NoAnswerError`. */
  async answer(
    { executionId, attempt }: CallWait,
    response: WebhookResponse,
    gone: AbortSignal,
  ): Promise<WebhookAnswer | undefined> {
    return this.#options.waiter.waitFor(executionId, response, { slot: attempt, gone });
  }

  async #authenticate(
    asked: CallAuthentication,
    { headers }: ResumeRequest,
    { executionId }: CallWait,
  ): Promise<CredentialProof> {
    const { credentials, authenticator } = this.#options;
    return authenticator.check(asked, await credentials.find(asked.credentialId, executionId), headers);
  }
}

function nothingWaits(): NotFoundError {
  return new NotFoundError('nothing waits for a call at this address');
}

function waitOf({ token, suffix }: ResumeAddress, calls: readonly CallWait[]): CallWait | undefined {
  const own = calls.filter(
    ({ resumeToken, call }) => !call.form && isSame(resumeToken, token) && (call.suffix ?? '') === suffix,
  );
  return own.find(({ open }) => open) ?? own[0];
}

function isSame(known: string, given: string): boolean {
  const [a, b] = [Buffer.from(known), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
