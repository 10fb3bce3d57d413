import type { CallWait, CredentialUseRepository, ExecutionWaits, FormSessions, GraphRepository } from '@sluice/db';
import { formSlot, GraphIndex, identifiersOf, isExecutionId, NotFoundError, type WorkflowId } from '@sluice/domain';
import type { ExecutionNotifier } from '@sluice/queue';
import type { Delivery } from '../../executions/delivery.ts';
import type { ExecutionSignals } from '../../executions/execution-signals.ts';
import type { UpcomingWaits } from '../resume/upcoming-waits.ts';
import { AlreadyResumedError } from '../shared/errors.ts';
import type { RequestAuthenticator } from '../shared/request-authenticator.ts';
import { admit, type Visitor } from './admit.ts';
import { isKey } from './form-key.ts';
import {
  type FormAddress,
  type FormPlace,
  type FormWait,
  formPlace,
  isFormWait,
  ownWait,
  placeUnderWay,
} from './form-place.ts';
import { heldFiles, itemOf, type SentForm } from './form-service.ts';

export interface FormVisitsOptions {
  waits: ExecutionWaits;
  upcoming: UpcomingWaits;
  sessions: FormSessions;
  graphs: Pick<GraphRepository, 'find'>;
  credentials: CredentialUseRepository;
  authenticator: RequestAuthenticator;
  delivery: Delivery;
  signals: ExecutionSignals;
  /** Fed by the `ended` and `answered` signals. */
  notifier: ExecutionNotifier;
}

export interface VisitedAddress extends FormAddress {
  executionId: string;
}

const formTypes: ReadonlySet<string> = new Set(identifiersOf('form'));

/** Milliseconds that a visitor is kept waiting for what comes next, before the page says to wait. */
const holdMs = 3_000;

/** Forms that executions wait for, and what comes after them. */
export class FormVisits {
  readonly #options: FormVisitsOptions;

  constructor(options: FormVisitsOptions) {
    this.#options = options;
  }

  /** What an address shows. Throws `NotFoundError`, and for a form what `admit` throws. `gone`: nobody waits any more. */
  async look(address: VisitedAddress, visitor: Visitor, gone: AbortSignal): Promise<FormPlace> {
    const place = await this.#settled(address, gone);
    if (!place) throw nothingHere();
    if (place.at === 'form') await this.#admit(place.wait, visitor);
    return place;
  }

  /**
   * The form that is sent to an address; it may have been sent already, and one that is not waited for yet is waited for a while. Throws `NotFoundError`,
   * `NotWaitingYetError`, `AlreadyResumedError`, and what `admit` throws. `gone`: nobody waits any more.
   */
  async find(address: VisitedAddress, visitor: Visitor, gone: AbortSignal): Promise<FormWait> {
    const { token, suffix } = address;
    const pick = (calls: readonly CallWait[]) => ownWait(calls.filter(isFormWait), token, suffix);
    const wait = await this.#options.upcoming.find(address, pick, gone);
    if (!wait) throw nothingHere();
    await this.#admit(wait, visitor);
    return wait;
  }

  /**
   * Lets the execution go on; resolves after the commit. `repeated`: the same page was sent before. Throws `AlreadyResumedError`: somebody else was
   * first, or it does not wait any more.
   */
  async send(wait: FormWait, form: SentForm): Promise<{ repeated: boolean }> {
    const { waits, delivery, signals } = this.#options;
    const { json: body, binary } = itemOf(form);
    const received = { headers: {}, params: {}, query: form.query, body, ...(binary && { binary }), key: form.key };
    if (!wait.open || !(await waits.resumeByCall(wait, received, heldFiles(form)))) return this.repeat(wait, form.key);
    // Neither rejects, and nobody has to wait for them: what is committed will run.
    void delivery.enqueue({ executionId: wait.executionId, attempt: wait.attempt });
    void signals.changed([wait.executionId]);
    return { repeated: false };
  }

  /** For a wait that is over: whether it was this page that ended it. Throws as `send`. */
  async repeat(wait: FormWait, key: string | undefined): Promise<{ repeated: true }> {
    if (key !== undefined && (await this.#options.waits.findKey(wait)) === key) return { repeated: true };
    throw new AlreadyResumedError('this form has been sent already, or is not waited for any more');
  }

  /** Whether pages, or an ending, may come after a node. */
  async leadsToForm(workflowId: WorkflowId, graphHash: string, nodeName: string): Promise<boolean> {
    const graph = await this.#options.graphs.find(workflowId, graphHash);
    if (!graph) return false;
    const index = new GraphIndex(graph);
    const next = index.outgoing(nodeName).flatMap((targets) => targets.map(({ node }) => node));
    return [...index.descendantsOf(next)].some((name) => {
      const node = index.nodes.get(name);
      return node !== undefined && !node.disabled && formTypes.has(node.type);
    });
  }

  /** Waits a while for what runs. Listens from before each look on, so that nothing happens in between. */
  async #settled(address: VisitedAddress, gone: AbortSignal): Promise<FormPlace | undefined> {
    const until = performance.now() + holdMs;
    for (;;) {
      const over = new AbortController();
      const left = until - performance.now();
      const notified = this.#options.notifier.wait(
        address.executionId,
        Math.max(1, left),
        AbortSignal.any([over.signal, gone]),
      );
      try {
        const place = await this.#read(address);
        if (place?.at !== 'running' || left <= 0 || gone.aborted) return place;
        if (!(await notified)) return this.#read(address);
      } finally {
        over.abort();
      }
    }
  }

  async #read({ executionId, token, suffix }: VisitedAddress): Promise<FormPlace | undefined> {
    if (!isExecutionId(executionId)) return undefined;
    const { sessions, waits } = this.#options;
    const calls = await waits.listCalls(executionId);
    const forms = calls.filter(isFormWait);
    const own = ownWait(forms, token, suffix);
    const slot = formSlot(own ? forms.slice(forms.indexOf(own)) : []);
    const progress = await sessions.read(executionId, { key: isKey(token) ? token : undefined, slot });
    if (!progress) return undefined;
    if (progress.status === 'waiting' && !calls.some(({ open }) => open)) {
      // It may have come to the wait after these were listed.
      const now = await waits.listCalls(executionId);
      if (now.length > calls.length) return this.#read({ executionId, token, suffix });
    }
    const { workflowId, graphHash, begun } = progress;
    const from = own?.nodeName ?? begun?.nodeName;
    const leads = from !== undefined && (await this.leadsToForm(workflowId, graphHash, from));
    const place = formPlace({ token, suffix }, { progress, waits: calls, leadsToForm: () => leads });
    if (place) return place;
    // The address may have been given to somebody before its form is waited for.
    const fate = await this.#options.upcoming.foresee(executionId, token, calls);
    return fate && (fate === 'ended' ? { at: 'closed' } : placeUnderWay(progress));
  }

  async #admit({ call, executionId }: FormWait, visitor: Visitor): Promise<void> {
    const { authenticator, credentials } = this.#options;
    await admit(call, visitor, authenticator, (id) => credentials.find(id, executionId));
  }
}

function nothingHere(): NotFoundError {
  return new NotFoundError('no form waits at this address');
}
