import { workflowData } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, timestamp } from './schema-helpers.ts';
import { triggerUrl } from './trigger.ts';

export const openTestUrlsBody = Type.Object({ workflowData: Type.Optional(workflowData) });
export type OpenTestUrlsBody = Static<typeof openTestUrlsBody>;

/** Test URLs of a workflow, and their result. */
export const testUrlsView = Type.Object(
  {
    open: Type.Boolean({ description: 'whether they still accept a request: none has arrived, and they have not expired' }),
    expiresAt: timestamp,
    executionId: nullable(Type.String({ description: 'the execution that the request started; null: no request has arrived' })),
    urls: Type.Array(triggerUrl),
  },
  { title: 'TestUrls' },
);
export type TestUrlsView = Static<typeof testUrlsView>;
