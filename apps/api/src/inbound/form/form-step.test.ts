import { expect, test } from '@jest/globals';
import type { RequestWait } from '@sluice/db';
import type { ExecutionStatus, FormEnding, FormResponse, WebhookResponse } from '@sluice/domain';
import { type FormState, formStep, stepWhileRunning } from './form-step.ts';

interface Shown {
  token: string;
  nextPage?: boolean;
  open?: boolean;
  called?: boolean;
  response?: FormResponse;
}

const thanks: FormEnding = { kind: 'text' };
const response: WebhookResponse = { status: 200, headers: {}, body: { kind: 'none' } };

function aWait({ token, nextPage = false, open = false, called = !open, response }: Shown, attempt: number): RequestWait {
  const page = { title: '', description: '', buttonLabel: '', fields: [] };
  const form = { page, isNextPage: nextPage, response: response ?? { mode: 'onReceived', ending: thanks } };
  return {
    executionId: '1',
    attempt,
    workflowId: 'w',
    resumeToken: token,
    nodeName: token,
    open,
    called,
    call: { method: 'POST', form, response: { status: 200, headers: {} } },
  };
}

/** Waits in chronological order. */
function stepOf(
  token: string,
  waits: Shown[],
  more: { status?: ExecutionStatus; response?: WebhookResponse; byKey?: boolean; leadsToForm?: boolean; suffix?: string } = {},
) {
  const { status = 'waiting', byKey = token === 'key', leadsToForm = true, suffix = '' } = more;
  const state: FormState = {
    progress: {
      workflowId: 'w',
      graphHash: 'h',
      status,
      resumesInMs: null,
      response: more.response,
      startedBy: { nodeName: 'Form', spec: undefined, byKey },
    },
    waits: waits.map(aWait).toReversed(),
    leadsToForm: () => leadsToForm,
  };
  const step = formStep({ token, suffix }, state);
  return step && 'wait' in step ? `${step.at} ${step.wait.resumeToken}` : step?.at;
}

const next = (token: string, more: Partial<Shown> = {}): Shown => ({ token, nextPage: true, ...more });

test('a URL that was never issued shows nothing', () => {
  expect(stepOf('x', [{ token: 'a', open: true }])).toBeUndefined();
  expect(stepOf('', [{ token: 'a', open: true }])).toBeUndefined();
  expect(stepOf('a', [{ token: 'a', open: true }], { suffix: 'b' })).toBeUndefined();
});

test('the URL of a wait shows its form while it is open', () => {
  expect(stepOf('a', [{ token: 'a', open: true }])).toBe('form a');
  expect(stepOf('a', [{ token: 'a', called: false }])).toBe('closed');
});

test('the next page is shown to the sender of the previous form', () => {
  expect(stepOf('key', [next('p', { open: true })])).toBe('next p');
  expect(stepOf('p', [next('p'), next('q', { open: true })])).toBe('next q');
  expect(stepOf('key', [next('p'), next('q', { open: true })])).toBe('next q');
});

test('the pages after a form with its own URL are shown only to the sender of the form', () => {
  const waits = [{ token: 'boss' }, next('p', { open: true })];
  expect(stepOf('boss', waits)).toBe('next p');
  expect(stepOf('key', waits)).toBe('ended');
});

test('a form with its own URL is not shown to other senders', () => {
  const waits = [next('p'), { token: 'boss', open: true }];
  expect(stepOf('key', waits)).toBe('waiting');
  expect(stepOf('p', waits)).toBe('waiting');
  expect(stepOf('boss', waits)).toBe('form boss');
});

test('an expired form does not affect the pages of other senders', () => {
  expect(stepOf('key', [{ token: 'boss', called: false }, next('p', { open: true })])).toBe('next p');
});

test('the ending is shown to the sender of the last form, and earlier responses are kept', () => {
  expect(stepOf('key', [], { response })).toBe('response');
  expect(stepOf('key', [{ token: 'boss' }], { response })).toBe('response');
  expect(stepOf('key', [{ token: 'boss' }])).toBe('ended');
  expect(stepOf('boss', [{ token: 'boss' }], { response })).toBe('response');
});

test.each<[ExecutionStatus, string]>([
  ['new', 'running'],
  ['running', 'running'],
  ['waiting', 'waiting'],
  ['success', 'ended'],
  ['error', 'failed'],
  ['canceled', 'failed'],
  ['crashed', 'failed'],
])('with an execution that is %s, the page is %s', (status, expected) => {
  expect(stepOf('key', [], { status })).toBe(expected);
});

test('if no page follows the form, the sender neither waits for the end nor sees failures', () => {
  for (const status of ['running', 'error'] as const) expect(stepOf('key', [], { status, leadsToForm: false })).toBe('ended');
  const waits = [{ token: 'a', response: { mode: 'lastNode', ending: thanks } as const }];
  expect(stepOf('a', waits, { status: 'error', leadsToForm: false })).toBe('failed');
});

test.each([
  [null, 15],
  [86_400_000, 15],
  [4_200, 5],
  [-1, 1],
])('a page for a wait that ends in %s ms reloads after %d s', (resumesInMs, seconds) => {
  expect(stepWhileRunning({ status: 'waiting', resumesInMs })).toEqual({ at: 'waiting', seconds });
});
