import type { FormProgress, RequestWait } from '@sluice/db';
import type { FormEnding, FormResponse, ResumeForm, WebhookResponse } from '@sluice/domain';
import { isSameSecret } from '@sluice/vault';
import type { ResumeAddress } from '../shared/upcoming-waits.ts';

export type FormWait = RequestWait & { call: { form: ResumeForm } };

/** The page that an address under `/form-waiting` currently shows. */
export type FormStep =
  /** The form that the execution waits for. */
  | { at: 'form'; wait: FormWait }
  /** The next page, for the sender of the previous form. */
  | { at: 'next'; wait: FormWait }
  | { at: 'response'; response: WebhookResponse }
  | { at: 'ended'; ending: FormEnding }
  | { at: 'running' }
  /** The execution waits for something else; reload after `seconds`. */
  | { at: 'waiting'; seconds: number }
  | { at: 'failed' }
  /** The form was not sent in time. */
  | { at: 'closed' };

export interface FormState {
  /** Includes the response for the submitter, if there is one. */
  progress: FormProgress;
  /** Newest first. */
  waits: readonly RequestWait[];
  /** Whether pages or an ending may follow a node. */
  leadsToForm(nodeName: string): boolean;
}

const defaultResponse: FormResponse = { mode: 'onReceived', ending: { kind: 'text' } };

/**
 * The step at an address; `undefined` if there is none. The next page belongs to the last sender:
 * submitters of earlier forms get neither pages nor responses for others.
 */
export function formStep({ token, suffix }: Pick<ResumeAddress, 'token' | 'suffix'>, state: FormState): FormStep | undefined {
  const { progress, waits } = state;
  const forms = waits.filter(isFormWait);
  const visited = waitOfToken(forms, token, suffix);
  const startedBy = progress.startedBy?.byKey ? progress.startedBy : undefined;
  if (!visited && (!startedBy || suffix !== '')) return undefined;
  if (visited?.open) return { at: 'form', wait: visited };
  if (visited && !visited.called && !visited.call.form.isNextPage) return { at: 'closed' };
  const open = forms.find((wait) => wait.open);
  const isLast = sentLast(open ? forms.slice(forms.indexOf(open) + 1) : forms, visited);
  if (open?.call.form.isNextPage && isLast) return { at: 'next', wait: open };
  return restOf(state, { forms, visited, isLast });
}

/** The wait of a token. Tokens are random and unique per wait. */
export function waitOfToken(forms: readonly FormWait[], token: string, suffix: string): FormWait | undefined {
  return forms.find(({ resumeToken, call }) => isSameSecret(resumeToken, token) && (call.suffix ?? '') === suffix);
}

export function isFormWait(wait: RequestWait): wait is FormWait {
  return wait.call.form !== undefined;
}

/**
 * Whether no other sender has started a form since. `visited`: absent for the sender of the first
 * form.
 */
function sentLast(forms: readonly FormWait[], visited: FormWait | undefined): boolean {
  for (const wait of forms) {
    if (wait === visited) return true;
    if (wait.called && !wait.call.form.isNextPage) return false;
  }
  return visited === undefined;
}

function restOf(
  { progress, leadsToForm }: FormState,
  { forms, visited, isLast }: { forms: readonly FormWait[]; visited: FormWait | undefined; isLast: boolean },
): FormStep {
  const { mode, ending } = responseOf(progress, visited && forms.slice(forms.indexOf(visited)));
  const from = visited?.nodeName ?? progress.startedBy?.nodeName;
  const isOver = mode === 'onReceived' && !(from !== undefined && leadsToForm(from));
  if (isOver) return { at: 'ended', ending };
  if (progress.response) return { at: 'response', response: progress.response };
  if (!isLast) return { at: 'ended', ending };
  switch (progress.status) {
    case 'success':
      return { at: 'ended', ending };
    case 'new':
    case 'running':
    case 'waiting':
      return stepWhileRunning(progress);
    default:
      return { at: 'failed' };
  }
}

/** Longest interval between reloads, in seconds: the wait may take days. */
const longSeconds = 15;

/** The step while there is nothing to show yet. */
export function stepWhileRunning({ status, resumesInMs }: Pick<FormProgress, 'status' | 'resumesInMs'>): FormStep {
  if (status !== 'waiting') return { at: 'running' };
  const inSeconds = Math.ceil((resumesInMs ?? Number.POSITIVE_INFINITY) / 1000);
  return { at: 'waiting', seconds: Math.min(longSeconds, Math.max(1, inSeconds)) };
}

/**
 * Response settings of the form that the page belongs to. `forms`: from the current wait back in
 * time; absent: the first form.
 */
function responseOf({ startedBy }: FormProgress, forms: readonly FormWait[] | undefined): FormResponse {
  const first = forms?.find(({ call }) => !call.form.isNextPage);
  return first?.call.form.response ?? startedBy?.spec?.response ?? defaultResponse;
}
