import { workflowData } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp } from './schema-helpers.ts';

export const openTestUrlsBody = Type.Object({ workflowData: Type.Optional(workflowData) });
export type OpenTestUrlsBody = Static<typeof openTestUrlsBody>;

/** Test URLs of a workflow, and their result. */
export const testUrlsView = Type.Object(
  {
    open: Type.Boolean({ description: 'whether they still accept a request: none has arrived, and they have not expired' }),
    expiresAt: timestamp,
    executionId: nullable(Type.String({ description: 'the execution that the request started; null: no request has arrived' })),
    urls: Type.Array(
      Type.Object({
        nodeName: Type.String({ description: 'the node where the execution starts' }),
        kind: oneOf(['webhook', 'form'], { description: 'the kind of trigger' }),
        methods: Type.Array(Type.String()),
        url: Type.String({
          description: 'a segment such as `:id` matches any text; without a host if the service does not know its own',
        }),
      }),
    ),
  },
  { title: 'TestUrls' },
);
export type TestUrlsView = Static<typeof testUrlsView>;
