import {
  type Item,
  maxTimeoutSeconds,
  onErrorPolicies,
  type PinnedItem,
  priorities,
  type WorkflowSettings,
  whenFullActions,
} from '@sluice/domain';
import { nameFilter, pageOf, pageQuery, projectFilter } from './page.ts';
import { type Static, Type } from './schema-builder.ts';
import {
  chosenId,
  concurrencyLimit,
  dictionary,
  jsonObject,
  nameText,
  nullable,
  oneOf,
  storableText,
  timestamp,
  withExample,
} from './schema-helpers.ts';
import { tagIds } from './tag.ts';
import { triggerUrl } from './trigger.ts';

const nodeExample = {
  id: '2',
  name: 'Set',
  type: 'base.set',
  typeVersion: 3.4,
  position: [200, 0],
  parameters: { mode: 'raw', jsonOutput: '={"hello": "world"}' },
};
const connectionsExample = { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } };
const graphExample = {
  name: 'Greet',
  nodes: [
    { id: '1', name: 'Start', type: 'base.manual-trigger', typeVersion: 1, position: [0, 0], parameters: {} },
    nodeExample,
  ],
  connections: connectionsExample,
  settings: { timezone: 'Europe/Rome' },
};

/** With a higher index, engines would have to allocate inputs that no node type has. */
const maxConnectionIndex = 999;

const maxDescriptionLength = 10_000;

/** A node. Additional properties are stored and returned unchanged. */
export const node = withExample(
  Type.Object(
    {
      id: Type.Optional(Type.String()),
      name: Type.String({ ...storableText, minLength: 1 }),
      type: Type.String({ minLength: 1, description: 'node type identifier; it need not exist until the workflow runs' }),
      typeVersion: Type.Optional(Type.Number()),
      position: Type.Unsafe<[number, number]>({ type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 }),
      parameters: jsonObject,
      credentials: Type.Optional(
        dictionary(Type.Object({ id: Type.Optional(nullable(Type.String())), name: Type.Optional(Type.String()) })),
      ),
      disabled: Type.Optional(Type.Boolean()),
      onError: Type.Optional(oneOf(onErrorPolicies)),
      continueOnFail: Type.Optional(Type.Boolean()),
      retryOnFail: Type.Optional(Type.Boolean()),
      maxTries: Type.Optional(Type.Number()),
      waitBetweenTries: Type.Optional(Type.Number()),
      executeOnce: Type.Optional(Type.Boolean()),
      alwaysOutputData: Type.Optional(Type.Boolean()),
    },
    { title: 'Node' },
  ),
  nodeExample,
);

const connection = Type.Object({
  node: Type.String({ description: 'name of the target node' }),
  type: Type.String(),
  index: Type.Integer({ minimum: 0, maximum: maxConnectionIndex, description: 'input of the target node' }),
});

export const connections = withExample(
  dictionary(dictionary(Type.Array(nullable(Type.Array(connection)))), {
    description: 'source node name → output type (`main`) → per output, its targets',
  }),
  connectionsExample,
);

/** Files of other services contain unsupported values and null: they are stored, with a warning. */
function choiceText(description: string) {
  return nullable(Type.String({ description }));
}

export const settings = withExample(
  Type.Unsafe<WorkflowSettings>({
    type: 'object',
    properties: {
      executionOrder: oneOf(['v0', 'v1'], {
        description: '`v1`: one branch to its end after the other, by position; `v0` (default): all branches in turn',
      }),
      timezone: Type.String({ description: 'IANA zone; absent, empty or `DEFAULT`: the service’s time zone' }),
      errorWorkflow: Type.String({
        description: 'id of the workflow that starts when an execution fails; `DEFAULT` or empty: none',
      }),
      executionTimeout: Type.Number({ maximum: maxTimeoutSeconds, description: 'seconds; absent, 0 or negative: no limit' }),
      priority: Type.Integer({
        minimum: priorities.min,
        maximum: priorities.max,
        description:
          'turns relative to other workflows of the project while more executions are queued than can start: 1 to 10, default 5',
      }),
      concurrency: Type.Object(
        {
          limit: concurrencyLimit,
          whenFull: Type.Optional(
            oneOf(whenFullActions, {
              description: '`queue` (default): further executions wait; `skip`: they end as `canceled`',
            }),
          ),
        },
        { description: 'absent: no limit; the newest saved version applies to the executions of all versions' },
      ),
      callerPolicy: choiceText(
        'workflows that may call this one: `any`, `none`, `workflowsFromSameOwner` (default; workflows of its project) or `workflowsFromAList`',
      ),
      callerIds: choiceText('with `workflowsFromAList`: ids of workflows, separated by commas'),
      saveDataSuccessExecution: choiceText('`all` (default), or `none`: successful executions are deleted when they end'),
      saveDataErrorExecution: choiceText('`all` (default), or `none`: failed executions are deleted when they end'),
      saveManualExecutions: Type.Unsafe<boolean | string | null>({
        type: ['boolean', 'string', 'null'],
        description: 'false: manual executions are deleted when they end',
      }),
      misfirePolicy: choiceText(
        'ticks of schedules that were missed: `skip` (default), or `once`: one execution makes up for all of them',
      ),
      overlapPolicy: choiceText('a tick while the previous execution runs: `allow` (default), `skip` or `queue`'),
    },
  }),
  { timezone: 'Europe/Rome' },
);

export const item = withExample(
  Type.Unsafe<Item>({
    type: 'object',
    properties: {
      json: { type: ['object', 'array'], items: {}, description: 'an object; nodes of older versions may return a list' },
      binary: jsonObject,
    },
    required: ['json'],
  }),
  { json: { hello: 'world' } },
);

export const pinData = withExample(
  nullable(
    dictionary(Type.Array(Type.Unsafe<PinnedItem>(jsonObject)), {
      description: "node name → items that replace a run of it in mode `manual`; an object without `json` is an item's JSON",
    }),
  ),
  {},
);

/** The common properties of creation and update. */
const editable = {
  name: nameText,
  nodes: Type.Array(node),
  connections,
  settings: Type.Optional(settings),
  staticData: Type.Optional(nullable(jsonObject)),
  pinData: Type.Optional(pinData),
  tags: Type.Optional(tagIds),
};

export const createWorkflowBody = withExample(
  Type.Object({
    ...editable,
    id: Type.Optional(chosenId),
    projectId: Type.Optional(storableText),
    meta: Type.Optional(nullable(jsonObject)),
  }),
  graphExample,
);
export type CreateWorkflowBody = Static<typeof createWorkflowBody>;

export const updateWorkflowBody = withExample(
  Type.Object({
    ...editable,
    name: Type.Optional(editable.name),
    nodes: Type.Optional(editable.nodes),
    connections: Type.Optional(editable.connections),
  }),
  { name: 'Greet politely' },
);
export type UpdateWorkflowBody = Static<typeof updateWorkflowBody>;

export const workflowWarning = Type.Object(
  {
    code: Type.String({
      description:
        '`NO_TRIGGER`, `ACTIVE_VERSION_UNCHANGED`, `UNKNOWN_NODE_TYPE`, `UNKNOWN_NODE_TYPE_VERSION`, `UNKNOWN_PARAMETER`, `UNUSED_PARAMETER`, `INVALID_PARAMETER`, `INVALID_WORKFLOW_SETTING` or `NOT_SUPPORTED`',
    }),
    message: Type.String(),
    node: Type.Optional(Type.String({ description: 'name of the node' })),
    path: Type.Optional(
      Type.String({ description: 'dotted path below the parameters of the node; without a node, below the workflow' }),
    ),
  },
  { title: 'WorkflowWarning' },
);
export type WorkflowWarning = Static<typeof workflowWarning>;

export const workflowView = withExample(
  Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      active: Type.Boolean(),
      nodes: Type.Array(node),
      connections,
      settings,
      staticData: nullable(jsonObject),
      pinData: Type.Optional(pinData),
      meta: nullable(jsonObject),
      tags: Type.Array(Type.String()),
      projectId: Type.String(),
      versionId: Type.String({ description: 'the newest version' }),
      activeVersionId: nullable(Type.String({ description: 'the active version, which triggers start' })),
      createdAt: timestamp,
      updatedAt: timestamp,
      urls: Type.Optional(
        Type.Array(triggerUrl, {
          description: 'in the response to an activation: addresses of its webhooks and forms, if any',
        }),
      ),
      warnings: Type.Optional(
        Type.Array(workflowWarning, {
          description: 'in responses to creation, update and activation, if any: parts that a run would refuse or ignore',
        }),
      ),
    },
    { title: 'Workflow' },
  ),
  {
    id: '2tUt1wbLX592XDdX',
    ...graphExample,
    active: false,
    staticData: null,
    pinData: {},
    meta: null,
    tags: [],
    projectId: 'KhXb0Dp6ZyVt8uQa',
    versionId: 'vM0Z5qUe1nGd7RsT',
    activeVersionId: null,
    createdAt: '2026-11-20T09:30:00.000Z',
    updatedAt: '2026-11-20T09:30:00.000Z',
  },
);
export type WorkflowView = Static<typeof workflowView>;

/** The label for the activated version. */
export const activateWorkflowBody = withExample(
  Type.Object({
    versionId: Type.Optional(Type.String({ ...storableText, description: 'absent: the newest version' })),
    name: Type.Optional(nameText),
    description: Type.Optional(Type.String({ ...storableText, maxLength: maxDescriptionLength })),
  }),
  { name: 'first release' },
);

export const transferWorkflowBody = Type.Object({
  destinationProjectId: Type.String({ ...storableText, minLength: 1 }),
  shareCredentials: Type.Boolean({
    default: false,
    description: 'share the credentials that the nodes name, if the source project owns them, with the destination',
  }),
});
export type TransferWorkflowBody = Static<typeof transferWorkflowBody>;

export const workflowPage = pageOf(workflowView);
export type WorkflowPage = Static<typeof workflowPage>;

export const deletedWorkflow = Type.Object({ id: Type.String(), name: Type.String() });

const excludePinnedData = Type.Boolean({ default: false, description: 'leaves `pinData` out' });
export const getWorkflowQuery = Type.Object({ excludePinnedData });

export const listWorkflowsQuery = Type.Object({
  ...pageQuery,
  name: nameFilter,
  active: Type.Optional(Type.Boolean({ description: 'true: only active ones; false: only inactive ones', examples: [true] })),
  tags: Type.Optional(
    Type.String({
      ...storableText,
      description: 'tag names, separated by commas; all must match',
      examples: ['billing,nightly'],
    }),
  ),
  projectId: projectFilter,
  excludePinnedData,
});
export type ListWorkflowsQuery = Static<typeof listWorkflowsQuery>;
