import type {
  CredentialUseRepository,
  ExecutionWaitRepository,
  FormSessionRepository,
  GraphRepository,
  RequestWait,
} from '@sluice/db';
import {
  formSlot,
  GraphIndex,
  identifiersOf,
  isExecutionId,
  NotFoundError,
  starterSlot,
  type WorkflowId,
} from '@sluice/domain';
import type { ExecutionNotifier } from '@sluice/queue';
import type { ExecutionEnqueuer } from '../../executions/execution-enqueuer.ts';
import type { ExecutionSignals } from '../../executions/execution-signals.ts';
import { type Admission, type Entry, entryOfWait } from '../shared/admission.ts';
import { AlreadyResumedError } from '../shared/errors.ts';
import type { ResumeAddress, UpcomingWaits } from '../shared/upcoming-waits.ts';
import { type FormRequest, isKey } from './form-request.ts';
import { itemOf, type ReceiveForm, type RejectedForm, referencedFiles, type SentForm } from './form-service.ts';
import { type FormStep, type FormWait, formStep, isFormWait, stepWhileRunning, waitOfToken } from './form-step.ts';

export interface FormVisitsOptions {
  executionWaits: ExecutionWaitRepository;
  upcoming: UpcomingWaits;
  formSessions: FormSessionRepository;
  graphs: Pick<GraphRepository, 'find'>;
  credentialUses: CredentialUseRepository;
  admission: Admission;
  enqueuer: ExecutionEnqueuer;
  signals: ExecutionSignals;
  /** Fed by the `ended` and `responded` signals. */
  notifier: ExecutionNotifier;
}

const formTypes: ReadonlySet<string> = new Set(identifiersOf('form'));

/**
 * Milliseconds that a request is held for the next page, before it gets a page that
 * reloads.
 */
const holdMs = 3_000;

/** Forms of waiting executions, and the pages after them. */
export class FormVisits {
  readonly #options: FormVisitsOptions;

  constructor(options: FormVisitsOptions) {
    this.#options = options;
  }

  /**
   * The step at an address. Throws `NotFoundError`, and for a form what `Admission.authorize`
   * throws.
   */
  async show(address: ResumeAddress, request: FormRequest): Promise<FormStep> {
    const step = await this.#settled(address, request.disconnected);
    if (!step) throw nothingHere();
    const route = { executionId: address.executionId };
    if (step.at === 'form') await this.#options.admission.authorize(request, { ...this.#entryOf(step.wait, request), route });
    else await request.countFor(route);
    return step;
  }

  /**
   * Resumes the execution with the form that it waits for. Holds the request if the wait has not
   * started. Throws `NotFoundError`, `NotWaitingYetError`, `AlreadyResumedError`, and what
   * `Admission.admit` throws.
   */
  async submit(address: ResumeAddress, request: FormRequest, receive: ReceiveForm): Promise<FormWait | RejectedForm> {
    const { admission, upcoming } = this.#options;
    const { token, suffix } = address;
    const pick = (waits: readonly RequestWait[]) => waitOfToken(waits.filter(isFormWait), token, suffix);
    const wait = await upcoming.find(address, pick, request.disconnected);
    if (!wait) throw nothingHere();
    return admission.admit(request, this.#entryOf(wait, request), async (_, files, reauthenticate) => {
      const { page } = wait.call.form;
      const form = await receive(wait.open ? page : { ...page, fields: [] }, files);
      await reauthenticate();
      if ('errors' in form) {
        await files.discard();
        return form;
      }
      const { repeated } = wait.open ? await this.send(wait, form) : await this.#repeat(wait, form.key);
      if (repeated) await files.discard();
      return wait;
    });
  }

  /**
   * Resolves after the commit. `repeated`: the same page was sent before. Throws
   * `AlreadyResumedError` if another form was first, or the execution no longer waits.
   */
  async send(wait: FormWait, form: SentForm): Promise<{ repeated: boolean }> {
    const { executionWaits, enqueuer, signals } = this.#options;
    const { json: body, binary } = itemOf(form);
    const received = { headers: {}, params: {}, query: form.query, body, ...(binary && { binary }), key: form.key };
    if (!wait.open || !(await executionWaits.resumeByRequest(wait, received, referencedFiles(form))))
      return this.#repeat(wait, form.key);
    // Neither is awaited, and neither rejects: the committed execution will run.
    void enqueuer.enqueue({ executionId: wait.executionId, attempt: wait.attempt });
    void signals.changed([wait.executionId]);
    return { repeated: false };
  }

  /** For a wait that has ended. Throws `AlreadyResumedError` unless this page ended it. */
  async #repeat(wait: FormWait, key: string): Promise<{ repeated: true }> {
    if ((await this.#options.executionWaits.findKey(wait)) === key) return { repeated: true };
    throw new AlreadyResumedError('this form has been sent already, or the execution no longer waits for it');
  }

  /** Whether pages or an ending may follow a node. */
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

  /** Waits a few seconds while the execution runs. */
  async #settled(address: ResumeAddress, signal: AbortSignal): Promise<FormStep | undefined> {
    const { notifier } = this.#options;
    const settled = await notifier.readUntil(address.executionId, { timeoutMs: holdMs, signal }, async () => {
      const step = await this.#read(address);
      return step?.at === 'running' ? undefined : { step };
    });
    return settled ? settled.step : { at: 'running' };
  }

  async #read(address: ResumeAddress): Promise<FormStep | undefined> {
    const { executionId, token } = address;
    if (!isExecutionId(executionId)) return undefined;
    const { executionWaits, formSessions, upcoming } = this.#options;
    const life = await executionWaits.findLife(executionId);
    if (!life) return undefined;
    // An execution may have any number of waits, which are read only for its visitors.
    const isVisitor = await executionWaits.knowsVisitor(executionId, { token, key: keyIn(token) });
    const step = isVisitor ? await this.#stepOf(address) : undefined;
    if (step) return step;
    // The address may be known before its wait begins.
    const status = upcoming.statusOf(address, life);
    if (status !== 'upcoming') return status && { at: 'closed' };
    const progress = await formSessions.read(executionId, { key: undefined, slot: starterSlot });
    return progress && stepWhileRunning(progress);
  }

  /** The step of a visitor. */
  async #stepOf(address: ResumeAddress): Promise<FormStep | undefined> {
    const { executionId, token, suffix } = address;
    const { formSessions, executionWaits } = this.#options;
    const calls = await executionWaits.listRequestWaits(executionId);
    const forms = calls.filter(isFormWait);
    const visited = waitOfToken(forms, token, suffix);
    const slot = formSlot(visited ? forms.slice(forms.indexOf(visited)) : []);
    const progress = await formSessions.read(executionId, { key: keyIn(token), slot });
    if (!progress) return undefined;
    if (progress.status === 'waiting' && !calls.some(({ open }) => open)) {
      // The wait may have started after the list was read.
      const latest = await executionWaits.listRequestWaits(executionId);
      if (latest.length > calls.length) return this.#stepOf(address);
    }
    const { workflowId, graphHash, startedBy } = progress;
    const from = visited?.nodeName ?? startedBy?.nodeName;
    const leads = from !== undefined && (await this.leadsToForm(workflowId, graphHash, from));
    return formStep({ token, suffix }, { progress, waits: calls, leadsToForm: () => leads });
  }

  #entryOf(wait: FormWait, { ownHosts }: FormRequest): Entry {
    return { ...entryOfWait(wait, this.#options.credentialUses), ownHosts };
  }
}

/** The key of a form page instead of a token. */
function keyIn(token: string): string | undefined {
  return isKey(token) ? token : undefined;
}

function nothingHere(): NotFoundError {
  return new NotFoundError('no form waits at this address');
}
