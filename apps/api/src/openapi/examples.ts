import type { JsonObject, JsonValue } from '@sluice/domain';

/** Values that examples of any schema use, by the name of the property. */
export const wordExamples = {
  instant: '2026-11-20T09:30:00.000Z',
  id: '2tUt1wbLX592XDdX',
  workflowId: '2tUt1wbLX592XDdX',
  versionId: 'vM0Z5qUe1nGd7RsT',
  activeVersionId: 'vM0Z5qUe1nGd7RsT',
  executionId: '1042',
  binaryId: '5f0d3c9a7be1482690d4f3b17ac85e2d6b90f4c81e37a52d',
  credentialId: '6bR2kYw9cNf4TzLm',
  projectId: 'KhXb0Dp6ZyVt8uQa',
  personalProjectId: 'KhXb0Dp6ZyVt8uQa',
  destinationProjectId: 'Jc3Lw8EoPq5Xr1Hs',
  shareWithIds: 'Jc3Lw8EoPq5Xr1Hs',
  columnId: '17',
  userId: 'Ua4Fg7Ti0MbWn6Cy',
  authorId: 'Ua4Fg7Ti0MbWn6Cy',
  tags: 'Gd9Sx2Vk5QeHj3Zo',
  ids: '1042',
  email: 'ada@example.com',
  name: 'Greet',
  workflowName: 'Greet',
  label: 'deployment',
  description: 'greets whoever asks',
  nodeName: 'Set',
  apiKey: 'sluice_3fQ********Zk2L',
  rawApiKey: 'sluice_3fQ9mTn7Yc0WvJx5KpRb8EdHs2LaPw6UiGoXn1ZtBcMyZk2L',
  type: 'httpBasicAuth',
  message: 'the connection works',
} as const satisfies Record<string, string>;

const nodes: JsonValue = [
  { id: '1', name: 'Start', type: 'base.manual-trigger', typeVersion: 1, position: [0, 0], parameters: {} },
  {
    id: '2',
    name: 'Set',
    type: 'base.set',
    typeVersion: 3.4,
    position: [200, 0],
    parameters: { mode: 'raw', jsonOutput: '={"hello": "world"}' },
  },
];
const connections: JsonValue = { Start: { main: [[{ node: 'Set', type: 'main', index: 0 }]] } };
const graph: JsonObject = { name: 'Greet', nodes, connections, settings: { timezone: 'Europe/Rome' } };

const { instant, id, projectId, versionId } = wordExamples;
const workflow: JsonObject = {
  id,
  ...graph,
  active: false,
  staticData: null,
  pinData: {},
  meta: null,
  tags: [],
  projectId,
  versionId,
  activeVersionId: null,
  createdAt: instant,
  updatedAt: instant,
};

const resultData: JsonObject = {
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
const basicAuth: JsonObject = { user: 'ada', password: 'secret' };

const credentialType: JsonObject = {
  name: 'httpBasicAuth',
  displayName: 'Basic Auth',
  documentationUrl: 'https://www.rfc-editor.org/rfc/rfc7617',
  authentication: ['request'],
  connectsByOAuth2: false,
  testable: true,
};

/** Component → example, for components whose composed example would be unclear. */
export const schemaExamples: Readonly<Record<string, JsonValue>> = {
  Workflow: workflow,
  CreateWorkflowBody: graph,
  UpdateWorkflowBody: { name: 'Greet politely' },
  ActivateWorkflowBody: { name: 'first release' },
  RunWorkflowBody: { destinationNode: 'Set' },
  PreviewExpressionsBody: {
    nodeName: 'Set',
    parameters: { mode: 'raw', jsonOutput: '={{ { "hello": $json.name } }}' },
    executionId: '1042',
    itemIndex: 0,
  },
  ExpressionPreview: { itemCount: 1, expressions: [{ path: 'jsonOutput', value: { hello: 'world' } }] },
  Node: (nodes as JsonValue[])[1] as JsonValue,
  Connections: connections,
  Settings: { timezone: 'Europe/Rome' },
  PinData: {},
  Item: { json: { hello: 'world' } },
  Run: { executionId: '1042', finished: true, status: 'success', data: { resultData } },
  ResultData: resultData,
  Execution: {
    id: '1042',
    workflowId: id,
    workflowName: 'Greet',
    status: 'success',
    mode: 'manual',
    startedAt: instant,
    stoppedAt: instant,
    retryOf: null,
    retrySuccessId: null,
    annotation: { tags: [], vote: null },
  },
  UpdateExecutionBody: { annotation: { vote: 'up' } },
  StopManyBody: { filter: { workflowId: 'all', status: ['running', 'waiting'] } },
  RetryExecutionBody: { loadWorkflow: true },
  RetryView: { id: '1043', workflowId: id, status: 'running', mode: 'retry', retryOf: '1042', startedAt: instant },
  StatusEvent: { executionId: '1042', status: 'running', startedAt: instant, stoppedAt: null },
  Credential: {
    id: wordExamples.credentialId,
    name: 'Mail server',
    type: 'httpBasicAuth',
    projectId,
    isGlobal: false,
    isManaged: false,
    isResolvable: false,
    concurrency: null,
    ratePerSecond: 5,
    createdAt: instant,
    updatedAt: instant,
    data: { user: 'ada', password: '***REDACTED***' },
  },
  CredentialTypeSummary: credentialType,
  CredentialType: {
    ...credentialType,
    properties: [
      { displayName: 'User', name: 'user', type: 'string', default: '' },
      { displayName: 'Password', name: 'password', type: 'string', default: '', typeOptions: { password: true } },
    ],
    schema: { type: 'object', properties: { user: { type: 'string' }, password: { type: 'string' } } },
  },
  CreateCredentialBody: { name: 'Mail server', type: 'httpBasicAuth', data: basicAuth },
  UpdateCredentialBody: { data: { user: 'ada', password: '***REDACTED***' } },
  TestCredentialBody: { credentials: { id: wordExamples.credentialId, type: 'httpBasicAuth', data: basicAuth } },
  StartedConsent: {
    authorizationUrl: 'https://accounts.example.com/authorize?response_type=code&client_id=sluice&state=GZ1uvUjB',
    expiresAt: instant,
  },
  CreateApiKeyBody: { label: 'deployment', scopes: ['workflow:read', 'workflow:execute'], expiresAt: null },
  UpdateApiKeyBody: { label: 'nightly deployment' },
  CreateSessionBody: { token: 'hY3vQ9sKd0fWmZ7xTn2cRb5LpJg8aUe1VoXi6EwB' },
  CreateUserBody: { email: wordExamples.email, role: 'member' },
  UpdateUserBody: { role: 'admin' },
  AddMemberBody: { email: wordExamples.email, role: 'project:editor' },
  CreateEventSubscriptionBody: {
    name: 'Incidents',
    url: 'https://hooks.example.com/sluice',
    events: ['execution.failed', 'execution.crashed'],
  },
  UpdateEventSubscriptionBody: { active: false },
  CreateDataTableBody: {
    name: 'Customers',
    columns: [
      { name: 'email', type: 'string' },
      { name: 'age', type: 'number' },
    ],
  },
  RenameDataTableBody: { name: 'Clients' },
  AddDataColumnBody: { name: 'age', type: 'number' },
  RenameDataColumnBody: { name: 'years' },
  DataTableColumn: { id: '17', name: 'age', type: 'number' },
  DataTableFilter: { type: 'and', filters: [{ columnName: 'email', condition: 'eq', value: wordExamples.email }] },
  InsertDataRowsBody: { data: [{ email: wordExamples.email, age: 36 }] },
  ChangeDataRowsBody: {
    filter: { type: 'and', filters: [{ columnName: 'email', condition: 'eq', value: wordExamples.email }] },
    data: { email: wordExamples.email, age: 36 },
  },
  DataRowView: { id: 1, createdAt: instant, updatedAt: instant, email: wordExamples.email, age: 36 },
  NodeType: {
    type: 'base.manual-trigger',
    displayName: 'Manual Trigger',
    name: 'manual-trigger',
    group: ['trigger'],
    version: 1,
    inputs: [],
    outputs: ['main'],
    properties: [],
  },
};
