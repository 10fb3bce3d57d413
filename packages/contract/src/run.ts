import { type ErrorRecord, executionStatuses, type NodeHint, type NodeRun } from '@sluice/domain';
import { type Static, Type } from './schema-builder.ts';
import { dictionary, jsonObject, nameText, nullable, oneOf } from './schema-helpers.ts';
import { connections, item, node, pinData, settings } from './workflow.ts';

/** A failure as it is stored and shown. */
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

/** A note of a node. */
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
    error: errorRecord,
    hints: { type: 'array', items: nodeHint, description: 'notes of the node for whoever looks at the run; 20 at most' },
    metadata: { type: 'object', description: 'what the node says about the run beside its output; 64 KB at most' },
  },
  required: ['startTime', 'executionTime', 'executionStatus', 'source'],
});

export const resultData = Type.Object({
  runData: dictionary(Type.Array(nodeRun), { description: 'node name → its runs' }),
  error: Type.Optional(errorRecord),
  lastNodeExecuted: Type.Optional(Type.String()),
  metadata: Type.Optional(dictionary(Type.String(), { description: 'what the workflow noted in `$execution.customData`' })),
});
export type ResultData = Static<typeof resultData>;

const givenSource = Type.Object({
  previousNode: Type.String(),
  previousNodeOutput: Type.Optional(Type.Integer({ minimum: 0 })),
  previousNodeRun: Type.Optional(Type.Integer({ minimum: 0 })),
});

/** A run of a node as a caller hands it in: what a run has answered can be sent as it is, and its items alone will do. */
const givenNodeRun = Type.Object({
  startTime: Type.Optional(Type.Number()),
  executionTime: Type.Optional(Type.Number()),
  executionStatus: Type.Optional(Type.String({ description: 'any but `success` (the default): the run does not count' })),
  source: Type.Optional(
    Type.Array(nullable(givenSource), {
      description: 'per input, where its items came from; without it, the connections tell where they leave no choice',
    }),
  ),
  data: Type.Optional(dictionary(nodeOutput)),
  contextAfter: Type.Optional(jsonObject),
});
export type GivenNodeRun = Static<typeof givenNodeRun>;

/** The configuration that runs instead of the stored one. */
export const workflowData = Type.Object({
  name: Type.Optional(nameText),
  nodes: Type.Array(node),
  connections,
  settings: Type.Optional(settings),
  pinData: Type.Optional(pinData),
});

export const runWorkflowBody = Type.Object({
  workflowData: Type.Optional(workflowData),
  startNodes: Type.Optional(Type.Array(Type.String(), { description: 'names of nodes to start from' })),
  destinationNode: Type.Optional(Type.String({ description: 'name of the node to run up to' })),
  runData: Type.Optional(
    dictionary(Type.Array(givenNodeRun), { description: 'inputs of the start nodes: node name → its runs' }),
  ),
});
export type RunWorkflowBody = Static<typeof runWorkflowBody>;

/** Something about a request that succeeded. */
const runWarning = Type.Object({
  code: Type.String({ description: '`UNKNOWN_PROPERTY`' }),
  path: Type.String({ description: 'JSON pointer into the body' }),
  message: Type.String(),
});
export type RunWarning = Static<typeof runWarning>;

export const runView = Type.Object(
  {
    executionId: Type.String(),
    finished: Type.Boolean({ description: 'false: the run goes on; poll GET /executions/:id' }),
    status: oneOf(executionStatuses),
    data: Type.Object({ resultData }),
    warnings: Type.Optional(Type.Array(runWarning, { description: 'what of the request had no effect; absent: nothing' })),
  },
  { title: 'Run' },
);
export type RunView = Static<typeof runView>;
