import { type ErrorRecord, executionStatuses, type NodeHint, type NodeRun } from '@sluice/domain';
import { type Static, Type } from './schema-builder.ts';
import { dictionary, jsonObject, messageKeyword, nameText, nullable, oneOf, withExample } from './schema-helpers.ts';
import { connections, item, node, pinData, settings } from './workflow.ts';

const resultExample = {
  runData: {
    Set: [
      {
        startTime: 1795512600000,
        executionTime: 3,
        executionStatus: 'success',
        source: [{ previousNode: 'Start' }],
        data: { main: [[{ json: { hello: 'world' } }]] },
      },
    ],
  },
  lastNodeExecuted: 'Set',
};

/** A failure in stored and displayed form. */
export const errorRecord = Type.Unsafe<ErrorRecord>({
  type: 'object',
  properties: {
    message: { type: 'string' },
    node: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
  },
  required: ['message'],
});

const nodeOutput = Type.Array(nullable(Type.Array(item)));

/** A note from a node. */
const nodeHint = Type.Unsafe<NodeHint>({
  type: 'object',
  properties: {
    message: { type: 'string', maxLength: 1_000 },
    type: oneOf(['info', 'warning', 'danger']),
    location: oneOf(['outputPane', 'inputPane', 'ndv']),
    whenToDisplay: oneOf(['always', 'beforeExecution', 'afterExecution']),
  },
  required: ['message'],
});

/** One run of one node (Contract 4.9). */
export const nodeRun = Type.Unsafe<NodeRun>({
  type: 'object',
  properties: {
    startTime: { type: 'number', description: 'milliseconds since the epoch' },
    executionTime: { type: 'number', description: 'milliseconds' },
    executionStatus: oneOf(['success', 'error']),
    source: { type: 'array', items: { type: ['object', 'null'] } },
    data: dictionary(nodeOutput),
    inputOverride: dictionary(nodeOutput, { description: 'use of a sub-node: connection type → its input' }),
    error: errorRecord,
    hints: { type: 'array', items: nodeHint, description: 'notes from the node to users who look at the run; at most 20' },
    metadata: { type: 'object', description: 'the node’s information about the run, besides its output; at most 64 KB' },
  },
  required: ['startTime', 'executionTime', 'executionStatus', 'source'],
});

export const resultData = withExample(
  Type.Object({
    runData: dictionary(Type.Array(nodeRun), { description: 'node name → its runs' }),
    error: Type.Optional(errorRecord),
    lastNodeExecuted: Type.Optional(Type.String()),
    metadata: Type.Optional(
      dictionary(Type.String(), { description: 'custom data that the workflow set in `$execution.customData`' }),
    ),
  }),
  resultExample,
);
export type ResultData = Static<typeof resultData>;

const sentSource = Type.Object({
  previousNode: Type.String(),
  previousNodeOutput: Type.Optional(Type.Integer({ minimum: 0 })),
  previousNodeRun: Type.Optional(Type.Integer({ minimum: 0 })),
});

/**
 * A node run in a request: a run from a response can be sent unchanged, and its items alone are
 * sufficient.
 */
const sentNodeRun = Type.Object({
  startTime: Type.Optional(Type.Number()),
  executionTime: Type.Optional(Type.Number()),
  executionStatus: Type.Optional(Type.String({ description: 'the run is ignored unless this is `success` (the default)' })),
  source: Type.Optional(
    Type.Array(nullable(sentSource), {
      description: 'per input, the source of its items; default: derived from the connections if unambiguous',
    }),
  ),
  data: Type.Optional(dictionary(nodeOutput)),
  contextAfter: Type.Optional(jsonObject),
});
export type SentNodeRun = Static<typeof sentNodeRun>;

/** The configuration that runs in place of the stored one. */
export const workflowData = Type.Object({
  name: Type.Optional(nameText),
  nodes: Type.Array(node),
  connections,
  settings: Type.Optional(settings),
  pinData: Type.Optional(pinData),
});

export const runWorkflowBody = withExample(
  Type.Object({
    workflowData: Type.Optional(workflowData),
    startNodes: Type.Optional(Type.Array(Type.String(), { description: 'names of nodes to start from' })),
    destinationNode: Type.Optional(Type.String({ description: 'name of the node to run up to' })),
    runData: Type.Optional(
      dictionary(Type.Array(sentNodeRun), { description: 'inputs of the start nodes: node name → its runs' }),
    ),
  }),
  { destinationNode: 'Set' },
);
export type RunWorkflowBody = Static<typeof runWorkflowBody>;

/** A warning about a request that succeeded. */
const runWarning = Type.Object({
  code: Type.String({ description: '`UNKNOWN_PROPERTY`' }),
  path: Type.String({ description: 'JSON pointer into the body' }),
  message: Type.String(),
});
export type RunWarning = Static<typeof runWarning>;

export const runView = withExample(
  Type.Object(
    {
      executionId: Type.String(),
      finished: Type.Boolean({ description: 'false: the run continues; poll GET /executions/:id' }),
      status: oneOf(executionStatuses),
      data: Type.Object({ resultData }),
      warnings: Type.Optional(
        Type.Array(runWarning, { description: 'parts of the request without effect; absent if there are none' }),
      ),
    },
    { title: 'Run' },
  ),
  { executionId: '1042', finished: true, status: 'success', data: { resultData: resultExample } },
);
export type RunView = Static<typeof runView>;

export const previewExpressionsBody = withExample(
  Type.Object({
    nodeName: Type.String({ maxLength: 1_000, description: 'node of the workflow whose expressions are evaluated' }),
    parameters: Type.Optional(
      Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        description: 'replace the parameters of the node; each string that begins with `=` is evaluated',
      }),
    ),
    executionId: Type.Optional(
      Type.String({
        format: 'execution-id',
        description:
          'execution of the workflow whose data expressions read; requires the scope execution:read; absent: pinned data only',
        [messageKeyword]: 'must be an execution ID',
      }),
    ),
    itemIndex: Type.Integer({ minimum: 0, default: 0, description: 'item of the first input for which they are evaluated' }),
    workflowData: Type.Optional(workflowData),
  }),
  {
    nodeName: 'Set',
    parameters: { mode: 'raw', jsonOutput: '={{ { "hello": $json.name } }}' },
    executionId: '1042',
    itemIndex: 0,
  },
);
export type PreviewExpressionsBody = Static<typeof previewExpressionsBody>;

const previewedExpression = Type.Object({
  path: Type.String({ description: 'dotted path in the parameters' }),
  value: Type.Optional(Type.Unsafe<unknown>({ description: 'absent: undefined, too large, or failed' })),
  tooLarge: Type.Optional(Type.Boolean({ description: 'true: the value is longer than 64 KiB of JSON' })),
  error: Type.Optional(Type.Object({ message: Type.String(), code: Type.Optional(Type.String()) })),
});

export const expressionPreview = withExample(
  Type.Object(
    {
      itemCount: Type.Integer({ description: 'items at the first input of the node' }),
      expressions: Type.Array(previewedExpression, { description: 'one for each expression in the parameters' }),
    },
    { title: 'ExpressionPreview' },
  ),
  { itemCount: 1, expressions: [{ path: 'jsonOutput', value: { hello: 'world' } }] },
);
export type ExpressionPreview = Static<typeof expressionPreview>;
