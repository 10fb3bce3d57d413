import type { CredentialUseRepository, ExecutionWaitRepository, RequestWait, StoredBinary } from '@sluice/db';
import { NotFoundError, type ResumeRequest, type WebhookResponse, type WebhookResponseSpec } from '@sluice/domain';
import type { ChunkListener } from '@sluice/queue';
import { isSameSecret } from '@sluice/vault';
import type { ExecutionEnqueuer } from '../../executions/execution-enqueuer.ts';
import type { ExecutionSignals } from '../../executions/execution-signals.ts';
import { type Admission, type Entry, entryOfWait } from '../shared/admission.ts';
import { AlreadyResumedError, MethodNotAllowedError } from '../shared/errors.ts';
import { type InboundRequest, visibleHead } from '../shared/inbound-request.ts';
import type { ResponseReceiver } from '../shared/relay-response.ts';
import type { ResumeAddress, UpcomingWaits } from '../shared/upcoming-waits.ts';
import type { WorkflowResponseWaiter } from '../shared/workflow-response-waiter.ts';

export interface ResumeServiceOptions {
  executionWaits: Pick<ExecutionWaitRepository, 'resumeByRequest'>;
  upcoming: Pick<UpcomingWaits, 'find' | 'read'>;
  credentialUses: CredentialUseRepository;
  admission: Admission;
  enqueuer: ExecutionEnqueuer;
  signals: ExecutionSignals;
  waiter: WorkflowResponseWaiter;
  chunks: Pick<ChunkListener, 'listen'>;
}

/** Resumes waiting executions with the requests that they wait for. */
export class ResumeService {
  readonly #options: ResumeServiceOptions;

  constructor(options: ResumeServiceOptions) {
    this.#options = options;
  }

  /**
   * The wait at an address; waits a few seconds for one that has not started. `disconnected` aborts
   * when the client disconnects. Throws `NotFoundError` if the address was never issued,
   * `NotWaitingYetError`, and `AlreadyResumedError`.
   */
  async waitAt(address: ResumeAddress, disconnected: AbortSignal): Promise<RequestWait> {
    const wait = await this.#options.upcoming.find(address, (waits) => waitOf(address, waits), disconnected);
    if (!wait) throw nothingWaits();
    return wait;
  }

  /**
   * Methods that pages may use at an address, without waiting: a browser does not show pages why a
   * preflight failed. The actual request is held for the wait instead. Throws `NotFoundError`.
   */
  async methodsAt(address: ResumeAddress): Promise<string[]> {
    const seen = await this.#options.upcoming.read(address, (waits) => waitOf(address, waits));
    if (!seen) throw nothingWaits();
    return [typeof seen === 'string' ? '*' : seen.call.method];
  }

  /**
   * Resumes the execution that waits for a request; resolves to the wait after the commit. Throws
   * what `waitAt`, `Admission.admit` and `resume` throw, and `MethodNotAllowedError`.
   */
  async receive(address: ResumeAddress, request: InboundRequest): Promise<RequestWait> {
    const wait = await this.waitAt(address, request.disconnected);
    const { method, files: fileRule = { take: 'none' } } = wait.call;
    if (request.method !== method) throw new MethodNotAllowedError(['OPTIONS', method].toSorted());
    await this.#options.admission.admit(request, this.#entryOf(wait), async ({ proof }, files, reauthenticate) => {
      const { body, binary } = await request.readBody({ files: fileRule, into: files });
      await reauthenticate();
      const received: ResumeRequest = {
        ...visibleHead(request.headers, proof),
        params: {},
        query: request.query,
        body,
        ...(Object.keys(binary).length > 0 && { binary }),
      };
      await this.resume(wait, received, files.stored);
    });
    return wait;
  }

  /**
   * Resolves after the commit. `files`: the request's files; the execution references them from
   * then on. Throws `AlreadyResumedError` if another request was first, and `UnavailableError` if
   * the response could not be waited for.
   */
  async resume(wait: RequestWait, received: ResumeRequest, files: readonly StoredBinary[]): Promise<void> {
    const { executionWaits, enqueuer, signals } = this.#options;
    if (wait.call.answer) enqueuer.assertUp();
    if (!(await executionWaits.resumeByRequest(wait, received, files))) throw new AlreadyResumedError();
    // Neither is awaited, and neither rejects: the committed execution will run. For a stream,
    // `responseTo` does so once it listens.
    if (wait.call.answer?.mode !== 'streaming') void enqueuer.enqueue({ executionId: wait.executionId, attempt: wait.attempt });
    void signals.changed([wait.executionId]);
  }

  /**
   * The response of the workflow to the request that ended a wait; `undefined` if the client
   * disconnects. Throws `NoResponseError`.
   */
  async responseTo(
    { executionId, attempt }: RequestWait,
    response: WebhookResponseSpec,
    { disconnected, onChunks }: ResponseReceiver,
  ): Promise<WebhookResponse | undefined> {
    const { waiter, chunks, enqueuer } = this.#options;
    if (response.mode !== 'streaming') return waiter.waitFor(executionId, response, { slot: attempt, disconnected });
    const begin = () => enqueuer.enqueue({ executionId, attempt });
    const listen = () => chunks.listen(executionId, onChunks);
    return waiter.waitFor(executionId, response, { slot: attempt, begin, listen, disconnected });
  }

  #entryOf(wait: RequestWait): Entry {
    return {
      ...entryOfWait(wait, this.#options.credentialUses),
      assertOpen() {
        if (!wait.open) throw new AlreadyResumedError();
      },
    };
  }
}

function nothingWaits(): NotFoundError {
  return new NotFoundError('no execution waits for a request at this address');
}

function waitOf({ token, suffix }: ResumeAddress, waits: readonly RequestWait[]): RequestWait | undefined {
  const matching = waits.filter(
    ({ resumeToken, call }) => !call.form && isSameSecret(resumeToken, token) && (call.suffix ?? '') === suffix,
  );
  return matching.find(({ open }) => open) ?? matching[0];
}
