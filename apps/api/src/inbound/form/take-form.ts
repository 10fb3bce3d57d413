import { type FormPage, isAppError, ValidationError } from '@sluice/domain';
import type { Request, Response } from 'express';
import { sendPage } from '../../pages/send-page.ts';
import { RequestFiles } from '../shared/request-files.ts';
import { checkSubmission } from './check-submission.ts';
import { keyOf } from './form-key.ts';
import type { FormPorts } from './form-ports.ts';
import { isJsonRequest, queryOf } from './form-request.ts';
import type { SentForm } from './form-service.ts';
import { formView } from './form-view.ts';
import { readSubmission } from './read-submission.ts';

export interface Taking<Result> {
  request: Request;
  response: Response;
  page: FormPage;
  /** What becomes of a form that is as it has to be. */
  take: (form: SentForm) => Promise<Result & { repeated: boolean }>;
}

/**
 * Reads and checks a form, and hands it on. `undefined`: it was not as it has to be, and the user has it back with what is wrong. Whatever is refused leaves none
 * of its files. Throws `ValidationError` for programs.
 */
export async function takeForm<Result>(
  { files: storage, limits }: Pick<FormPorts, 'files' | 'limits'>,
  { request, response, page, take }: Taking<Result>,
): Promise<(Result & { repeated: boolean; key: string }) | undefined> {
  const files = new RequestFiles(storage);
  try {
    const read = await readSubmission(request, page, { limits, into: files });
    const checked = checkSubmission(page, read);
    const key = keyOf(request, read.key);
    if (!checked.ok) {
      await files.discard();
      return refuse({ request, response, page }, { key, values: read.values, errors: checked.errors });
    }
    const result = await take({ item: checked.item, query: queryOf(request), files, key });
    if (result.repeated) await files.discard();
    return { ...result, key };
  } catch (error) {
    // Where the database does not answer, it may have been taken all the same.
    if (!isAppError(error) || error.kind !== 'transient') await files.discard();
    throw error;
  }
}

function refuse(
  { request, response, page }: Omit<Taking<never>, 'take'>,
  { key, values, errors }: { key: string; values: ReadonlyMap<number, readonly string[]>; errors: ReadonlyMap<number, string> },
): undefined {
  if (!isJsonRequest(request)) {
    sendPage(response, 422, formView(page, key, { values, errors }));
    return undefined;
  }
  const issues = [...errors].map(([index, message]) => ({ path: `/${page.fields[index]?.name ?? index}`, message }));
  throw new ValidationError('the form is not filled in as it has to be', issues);
}
