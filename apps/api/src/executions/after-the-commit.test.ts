import { expect, test } from '@jest/globals';
import type { FormRoute } from '@sluice/db';
import { FormService, type FormServiceOptions, type SentForm } from '../inbound/form/form-service.ts';
import type { FormWait } from '../inbound/form/form-step.ts';
import { FormVisits, type FormVisitsOptions } from '../inbound/form/form-visits.ts';
import { ResumeService, type ResumeServiceOptions } from '../inbound/resume/resume-service.ts';
import type { RequestFiles } from '../inbound/shared/request-files.ts';
import type { ExecutionEnqueuer } from './execution-enqueuer.ts';
import type { ExecutionSignals } from './execution-signals.ts';

/** Steps that were sent to a Redis that never responds. */
const handed: string[] = [];
const silent = (what: string) => () => {
  handed.push(what);
  return new Promise<never>(() => undefined);
};
const enqueuer = { enqueue: silent('enqueue'), assertUp: () => undefined } as unknown as ExecutionEnqueuer;
const signals = { changed: silent('changed') } as unknown as ExecutionSignals;
const executionWaits = { resumeByRequest: async () => true };
const form: SentForm = {
  item: { json: {}, binary: {} },
  query: {},
  files: { stored: [] } as unknown as RequestFiles,
  key: 'key',
};
const wait = { executionId: '1', attempt: 2, open: true, call: {} };

test.each<[string, () => Promise<unknown>, string[]]>([
  [
    'a form',
    () =>
      new FormService({
        webhookStarts: { start: async () => ({ id: '1', repeated: false }) },
        enqueuer,
      } as unknown as FormServiceOptions).start({ spec: {} } as FormRoute, form),
    ['enqueue'],
  ],
  [
    'a page of a form',
    () => new FormVisits({ executionWaits, enqueuer, signals } as unknown as FormVisitsOptions).send(wait as FormWait, form),
    ['enqueue', 'changed'],
  ],
  [
    'a resume',
    () =>
      new ResumeService({ executionWaits, enqueuer, signals } as unknown as ResumeServiceOptions).resume(
        wait as unknown as FormWait,
        { headers: {}, params: {}, query: {}, body: {} },
        [],
      ),
    ['enqueue', 'changed'],
  ],
])('%s succeeds once it is committed, without waiting for Redis', async (_, send, expected) => {
  handed.length = 0;
  await send();
  expect(handed).toEqual(expected);
});
