import { executionModes, executionStatuses, limitKinds } from '@sluice/domain';
import { nextCursor, pageQuery, projectFilter } from './page.ts';
import { resultData } from './run.ts';
import { type Static, Type } from './schema-builder.ts';
import {
  instant,
  jsonObject,
  messageKeyword,
  noOthers,
  nullable,
  oneOf,
  storableText,
  timestamp,
  withExample,
} from './schema-helpers.ts';
import { tagIds } from './tag.ts';
import { connections, node, settings } from './workflow.ts';

const id = Type.String({ description: 'decimal; increases with time' });

const votes = ['up', 'down'] as const;

export const executionData = Type.Object({ resultData, executionData: jsonObject });
export type ExecutionData = Static<typeof executionData>;

/** Vote and tags of an execution. */
const annotation = Type.Object({
  tags: tagIds,
  vote: nullable(oneOf(votes, { description: 'null: no vote' })),
});

export const updateExecutionBody = withExample(
  Type.Object({
    annotation: Type.Optional(
      Type.Object(
        { tags: Type.Optional(annotation.properties.tags), vote: Type.Optional(annotation.properties.vote) },
        { description: 'replaces the given parts; an empty list or null removes them' },
      ),
    ),
  }),
  { annotation: { vote: 'up' } },
);
export type UpdateExecutionBody = Static<typeof updateExecutionBody>;

export const executionView = withExample(
  Type.Object(
    {
      id,
      workflowId: Type.String(),
      workflowName: Type.String(),
      status: oneOf(executionStatuses),
      mode: oneOf(executionModes),
      startedAt: nullable(timestamp),
      stoppedAt: nullable(timestamp),
      retryOf: nullable(id),
      retrySuccessId: nullable(id),
      annotation,
      waitingFor: Type.Optional(
        Type.Object(
          { limit: oneOf(limitKinds), id: Type.String({ description: 'ID of the workflow, project, or credential' }) },
          { description: 'the limit that the execution waits for; only while it does' },
        ),
      ),
      waitingRun: Type.Optional(
        Type.Object(
          {
            node: Type.String({ description: 'node name' }),
            startTime: Type.Number({ description: 'milliseconds since the epoch' }),
          },
          { description: 'the node run that waits for a time, a request, or a sub-workflow; only while it does' },
        ),
      ),
      error: Type.Optional(
        Type.Object(
          { message: Type.String(), name: Type.Optional(Type.String()), node: Type.Optional(Type.String()) },
          { description: 'why it failed; the message may be cut at 1,000 characters' },
        ),
      ),
      data: Type.Optional(executionData),
    },
    { title: 'Execution' },
  ),
  {
    id: '1042',
    workflowId: '2tUt1wbLX592XDdX',
    workflowName: 'Greet',
    status: 'success',
    mode: 'manual',
    startedAt: '2026-11-20T09:30:00.000Z',
    stoppedAt: '2026-11-20T09:30:00.000Z',
    retryOf: null,
    retrySuccessId: null,
    annotation: { tags: [], vote: null },
  },
);
export type ExecutionView = Static<typeof executionView>;

/** The graph that an execution runs. */
export const executedWorkflow = Type.Object(
  {
    name: Type.String({ description: 'name of the workflow when the execution started' }),
    nodes: Type.Array(node),
    connections,
    settings,
  },
  { title: 'ExecutedWorkflow' },
);

export const executionPage = Type.Object({
  data: Type.Array(executionView),
  nextCursor,
  count: Type.Integer({ description: 'executions that match the filter; exact up to 10,000' }),
  estimated: Type.Boolean({ description: 'whether `count` is an estimate' }),
  concurrentExecutionsCount: Type.Integer({ description: 'running executions that the caller can see' }),
});
export type ExecutionPage = Static<typeof executionPage>;

const includeData = Type.Boolean({ default: false, description: 'includes the data' });
export const getExecutionQuery = Type.Object({ includeData });

const statusList = `(${executionStatuses.join('|')})`;

export const listExecutionsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(
    Type.String({
      pattern: `^${statusList}(,${statusList})*$`,
      description: 'one status, or several separated by commas',
      [messageKeyword]: `must list only ${executionStatuses.join(', ')}`,
      examples: ['error,crashed'],
    }),
  ),
  includeData,
  workflowId: Type.Optional(
    Type.String({ ...storableText, description: 'only executions of this workflow', examples: ['2tUt1wbLX592XDdX'] }),
  ),
  projectId: projectFilter,
  lastId: Type.Optional(
    Type.String({
      format: 'execution-id',
      description: 'executions older than this one',
      [messageKeyword]: 'must be an execution ID',
      examples: ['1042'],
    }),
  ),
  startedAfter: Type.Optional(
    Type.String({
      ...instant,
      description: 'only executions that started at this time or later; for `new` executions, the creation time applies',
      examples: ['2026-11-20T09:30:00.000Z'],
    }),
  ),
  startedBefore: Type.Optional(
    Type.String({
      ...instant,
      description: 'only executions that started at this time or earlier; for `new` executions, the creation time applies',
      examples: ['2026-11-21'],
    }),
  ),
  mode: Type.Optional(
    oneOf(executionModes, { description: 'only executions that were started in this way', examples: ['manual'] }),
  ),
});
export type ListExecutionsQuery = Static<typeof listExecutionsQuery>;

export const stoppedExecution = Type.Object({ id, status: oneOf(['canceled']), stoppedAt: timestamp });

/** Statuses in `stopMany`: `queued` is `new`. */
const stoppableStatuses = ['running', 'waiting', 'queued'] as const;

export const stopManyBody = withExample(
  Type.Object({
    filter: Type.Object(
      {
        workflowId: Type.Optional(Type.String({ ...storableText, description: '`all` (the default), or a workflow id' })),
        projectId: Type.Optional(Type.String({ ...storableText, description: 'absent: every project of the caller' })),
        mode: Type.Optional(oneOf(executionModes)),
        status: Type.Array(oneOf(stoppableStatuses), { maxItems: 100 }),
        startedAfter: Type.Optional(instant),
        startedBefore: Type.Optional(instant),
      },
      noOthers,
    ),
    dryRun: Type.Boolean({ default: false, description: 'true: only counts; stops nothing' }),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description: 'stops at most this number of executions, oldest first; repeat to stop the rest',
      }),
    ),
  }),
  { filter: { workflowId: 'all', status: ['running', 'waiting'] } },
);
export type StopManyBody = Static<typeof stopManyBody>;

export const stopManyView = Type.Object({
  stopped: Type.Integer({ description: 'executions stopped; with `dryRun`: executions that would be stopped' }),
});

export const retryExecutionBody = withExample(
  Type.Object({
    loadWorkflow: Type.Boolean({ default: false, description: 'true: the newest graph; false: the original one' }),
    from: Type.Optional(
      Type.String({ description: '`start`, or the name of the node to start from; absent: the failed node' }),
    ),
  }),
  { loadWorkflow: true },
);

export const retryView = withExample(
  Type.Object({
    id,
    workflowId: Type.String(),
    status: oneOf(executionStatuses),
    mode: oneOf(executionModes),
    retryOf: nullable(id),
    startedAt: nullable(timestamp),
  }),
  {
    id: '1043',
    workflowId: '2tUt1wbLX592XDdX',
    status: 'running',
    mode: 'retry',
    retryOf: '1042',
    startedAt: '2026-11-20T09:30:00.000Z',
  },
);
export type RetryView = Static<typeof retryView>;

/** Limited, because one transaction deletes all of them. */
const maxDeletedAtOnce = 10_000;

export const deleteExecutionsBody = Type.Object({
  ids: Type.Array(Type.String(), { maxItems: maxDeletedAtOnce }),
  dryRun: Type.Boolean({ default: false, description: 'true: only checks and counts; deletes nothing' }),
});
export type DeleteExecutionsBody = Static<typeof deleteExecutionsBody>;

export const deleteExecutionsView = Type.Object({
  success: Type.Literal(true),
  deleted: Type.Optional(Type.Integer({ description: 'with `dryRun`: number of executions that would be deleted' })),
});

export const successView = Type.Object({ success: Type.Literal(true) });
