import { workflowData } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import { nullable, oneOf, timestamp } from './schema-helpers.ts';

export const openTestUrlsBody = Type.Object({ workflowData: Type.Optional(workflowData) });
export type OpenTestUrlsBody = Static<typeof openTestUrlsBody>;

/** Where a workflow is called to try it out, and what has come of it. */
export const testUrlsView = Type.Object(
  {
    open: Type.Boolean({ description: 'whether a call counts still: none has come, and the time is not over' }),
    expiresAt: timestamp,
    executionId: nullable(Type.String({ description: 'what the call has started; null: none has come' })),
    urls: Type.Array(
      Type.Object({
        nodeName: Type.String({ description: 'where the execution begins' }),
        kind: oneOf(['webhook', 'form'], { description: 'what is called' }),
        methods: Type.Array(Type.String()),
        url: Type.String({
          description: 'a part such as `:id` stands for any text; without the host where the service does not know its own',
        }),
      }),
    ),
  },
  { title: 'TestUrls' },
);
export type TestUrlsView = Static<typeof testUrlsView>;
