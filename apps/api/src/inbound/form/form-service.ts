import type { CredentialUseRepository, FormRoute, StartedOnce, TestUrls, WebhookRoutes, WebhookStarts } from '@sluice/db';
import { type Item, NotFoundError, userKeyed } from '@sluice/domain';
import type { Delivery } from '../../executions/delivery.ts';
import type { RequestAuthenticator } from '../shared/request-authenticator.ts';
import type { RequestFiles } from '../shared/request-files.ts';
import { admit, type Visitor } from './admit.ts';
import type { CheckedSubmission } from './check-submission.ts';

export interface FormServiceOptions {
  routes: WebhookRoutes;
  testUrls: Pick<TestUrls, 'find'>;
  starts: WebhookStarts;
  credentials: CredentialUseRepository;
  authenticator: RequestAuthenticator;
  delivery: Delivery;
}

/** A form that has been sent, and is as it has to be. */
export interface SentForm {
  item: CheckedSubmission;
  /** Of the address; left out of the item where there is none. */
  query: Item['json'];
  files: RequestFiles;
  /** Counts once. */
  key: string;
}

/** Forms that start workflows. */
export class FormService {
  readonly #options: FormServiceOptions;

  constructor(options: FormServiceOptions) {
    this.#options = options;
  }

  /** `isSent`: it is found at a test URL that has been taken, too, since it may be what has taken it. Throws `NotFoundError`. */
  async find(segments: readonly string[], { atTestUrl, isSent }: { atTestUrl: boolean; isSent: boolean }): Promise<FormRoute> {
    const route = atTestUrl ? await this.#findTest(segments, isSent) : await this.#options.routes.findForm(segments);
    if (route) return route;
    throw new NotFoundError('there is no form at this address, or its workflow is not active');
  }

  async #findTest(segments: readonly string[], isSent: boolean): Promise<FormRoute | undefined> {
    const { testUrls } = this.#options;
    const [open] = await testUrls.find('form', segments);
    return open ?? (isSent ? (await testUrls.find('form', segments, { taken: true }))[0] : undefined);
  }

  /** Throws `ForbiddenError` and `UnauthorizedRequestError`. */
  async admit({ spec, workflowId }: FormRoute, visitor: Visitor): Promise<void> {
    const { authenticator, credentials } = this.#options;
    await admit(spec, visitor, authenticator, (id) => credentials.findForWorkflow(id, workflowId));
  }

  /** Resolves after the commit; the execution runs from then on. Throws what `WebhookStarts.start` throws. */
  async start({ workflowId, graphHash, nodeName, spec, output, test }: FormRoute, form: SentForm): Promise<StartedOnce> {
    const { starts, delivery } = this.#options;
    const input = { trigger: { node: nodeName, output, items: [itemOf(form, test ? 'test' : 'production')] } };
    const files = heldFiles(form);
    const tried = test && { test, session: form.key };
    const started = await starts.start({ workflowId, graphHash, nodeName, spec, input, files, key: form.key, ...tried });
    if (!started.repeated) void delivery.enqueue({ executionId: started.id, attempt: 1 }); // never rejects
    return started;
  }
}

/** What the item has of a form that starts or resumes a workflow. */
export function itemOf(
  { item: { json, binary }, query }: Pick<SentForm, 'item' | 'query'>,
  formMode: 'production' | 'test' = 'production',
): Item {
  const about = { submittedAt: new Date().toISOString(), formMode };
  const asked = Object.keys(query).length > 0 ? { formQueryParameters: query } : {};
  const whole = userKeyed([...Object.entries(json), ...Object.entries({ ...about, ...asked })]);
  return Object.keys(binary).length > 0 ? { json: whole, binary } : { json: whole };
}

/** Those that the item refers to. Others that have come are left for the sweeper, to whom they were announced. */
export function heldFiles({ item: { binary }, files }: Pick<SentForm, 'item' | 'files'>) {
  const ids = new Set(Object.values(binary).map(({ id }) => id));
  return files.stored.filter(({ id }) => ids.has(id));
}
