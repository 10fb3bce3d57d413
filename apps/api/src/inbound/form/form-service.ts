import type {
  CredentialUseRepository,
  FormRoute,
  StartedOnce,
  TestUrlRepository,
  WebhookRouteRepository,
  WebhookStartRepository,
} from '@sluice/db';
import { type FormPage, type Item, NotFoundError, userKeyed } from '@sluice/domain';
import type { ExecutionEnqueuer } from '../../executions/execution-enqueuer.ts';
import { type Admission, type Entry, entryOfTrigger } from '../shared/admission.ts';
import type { RequestFiles } from '../shared/request-files.ts';
import type { CheckedSubmission } from './check-submission.ts';
import type { FormRequest } from './form-request.ts';

export interface FormServiceOptions {
  webhookRoutes: WebhookRouteRepository;
  testUrls: Pick<TestUrlRepository, 'find'>;
  webhookStarts: WebhookStartRepository;
  credentialUses: CredentialUseRepository;
  admission: Admission;
  enqueuer: ExecutionEnqueuer;
}

/** A valid form. */
export interface SentForm {
  item: CheckedSubmission;
  /** Query of the address; `{}` is omitted from the item. */
  query: Item['json'];
  files: RequestFiles;
  /** Forms with the same key count once. */
  key: string;
}

/** A form that is sent back with errors, by the indexes of the fields. */
export interface RejectedForm {
  page: FormPage;
  key: string;
  values: ReadonlyMap<number, readonly string[]>;
  errors: ReadonlyMap<number, string>;
}

/** Reads the body of a request as the form of a page. */
export type ReceiveForm = (page: FormPage, files: RequestFiles) => Promise<SentForm | RejectedForm>;

/** An execution that a form started. */
interface StartedForm {
  route: FormRoute;
  started: StartedOnce;
  key: string;
}

/** Shows forms, and starts workflows with them. */
export class FormService {
  readonly #options: FormServiceOptions;

  constructor(options: FormServiceOptions) {
    this.#options = options;
  }

  /**
   * The form at an address, for display. Throws `NotFoundError` and what `Admission.authorize`
   * throws.
   */
  async show(request: FormRequest, { atTestUrl }: { atTestUrl: boolean }): Promise<FormRoute> {
    const route = await this.#find(request.segments, { atTestUrl, isSent: false });
    await this.#options.admission.authorize(request, this.#entryOf(route, request));
    return route;
  }

  /**
   * Starts the workflow of a form; resolves after the commit. Throws what `show`, `Admission.admit`
   * and `WebhookStartRepository.start` throw.
   */
  async submit(
    request: FormRequest,
    { atTestUrl }: { atTestUrl: boolean },
    receive: ReceiveForm,
  ): Promise<StartedForm | RejectedForm> {
    const route = await this.#find(request.segments, { atTestUrl, isSent: true });
    return this.#options.admission.admit(request, this.#entryOf(route, request), async (_, files, reauthenticate) => {
      const form = await receive(route.spec.page, files);
      await reauthenticate();
      if ('errors' in form) {
        await files.discard();
        return form;
      }
      const started = await this.start(route, form);
      if (started.repeated) await files.discard();
      return { route, started, key: form.key };
    });
  }

  /**
   * Resolves after the commit; the execution runs from then on. Throws what
   * `WebhookStartRepository.start` throws.
   */
  async start({ workflowId, graphHash, nodeName, spec, test }: FormRoute, form: SentForm): Promise<StartedOnce> {
    const { webhookStarts, enqueuer } = this.#options;
    // Without an output: the node runs, and converts the time of submission.
    const input = { trigger: { node: nodeName, items: [itemOf(form, test ? 'test' : 'production')] } };
    const files = referencedFiles(form);
    const tried = test && { test, session: form.key };
    const started = await webhookStarts.start({ workflowId, graphHash, nodeName, spec, input, files, key: form.key, ...tried });
    if (!started.repeated) void enqueuer.enqueue({ executionId: started.id, attempt: 1, workflowId }); // never rejects
    return started;
  }

  async #find(segments: readonly string[], { atTestUrl, isSent }: { atTestUrl: boolean; isSent: boolean }): Promise<FormRoute> {
    const route = atTestUrl ? await this.#findTest(segments, isSent) : await this.#options.webhookRoutes.findForm(segments);
    if (route) return route;
    throw new NotFoundError('there is no form at this address, or its workflow is not active');
  }

  /** A sent form is also found at a used test URL: it may be the form that used it. */
  async #findTest(segments: readonly string[], isSent: boolean): Promise<FormRoute | undefined> {
    const { testUrls } = this.#options;
    const [open] = await testUrls.find('form', segments);
    return open ?? (isSent ? (await testUrls.find('form', segments, { isUsed: true }))[0] : undefined);
  }

  #entryOf(route: FormRoute, { ownHosts }: FormRequest): Entry {
    return { ...entryOfTrigger(route, this.#options.credentialUses), ownHosts };
  }
}

/** The item of a form that starts or resumes a workflow. */
export function itemOf(
  { item: { json, binary }, query }: Pick<SentForm, 'item' | 'query'>,
  formMode: 'production' | 'test' = 'production',
): Item {
  const about = { submittedAt: new Date().toISOString(), formMode };
  const queryMember = Object.keys(query).length > 0 ? { formQueryParameters: query } : {};
  const combined = userKeyed([...Object.entries(json), ...Object.entries({ ...about, ...queryMember })]);
  return Object.keys(binary).length > 0 ? { json: combined, binary } : { json: combined };
}

/** Files that the item refers to. The sweeper deletes others, which were announced to it. */
export function referencedFiles({ item: { binary }, files }: Pick<SentForm, 'item' | 'files'>) {
  const ids = new Set(Object.values(binary).map(({ id }) => id));
  return files.stored.filter(({ id }) => ids.has(id));
}
