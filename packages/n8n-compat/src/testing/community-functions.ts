/**
 * Support for a function of community packages that does not work as documented: it can be called
 * although its behavior is not publicly documented, or calling it throws an error that names it.
 */
type FunctionState = 'undocumented' | 'notOffered';

/** Places where package functions are called; they determine the kind of `this`. */
export const contextKinds = ['run', 'poll', 'listener', 'webhook', 'registration', 'methods'] as const;
export type ContextKind = (typeof contextKinds)[number];

/** Contexts in which items originate. */
const makesItems: readonly ContextKind[] = ['run', 'poll', 'listener', 'webhook'];

/** In runs, functions that read files find item files; elsewhere there are no items yet. */
const readsOwn = 'polls and listeners can read files that they just created; webhooks, also files of the request';

/** A function of a context (`this`, `helpers`), or an export of `n8n-workflow`. */
interface CommunityFunctionInfo {
  name: string;
  /** Absent: it works as documented. */
  state?: FunctionState;
  /**
   * Contexts that have the function. Default: all. Empty: it is passed only to the function that
   * may call it.
   */
  where?: readonly ContextKind[];
  /** Differences in behavior. */
  note?: string;
}

/** The hundred functions that packages and the nodes of the format use most, by frequency. */
export const communityFunctions: readonly CommunityFunctionInfo[] = [
  { name: 'this.getNodeParameter', note: 'with `extractValue`, `ensureType` and `rawExpressions`' },
  { name: 'this.getNode' },
  { name: 'this.getInputData', where: ['run'] },
  { name: 'n8n-workflow: NodeOperationError' },
  { name: 'n8n-workflow: NodeConnectionTypes' },
  { name: 'this.continueOnFail', where: ['run'] },
  { name: 'this.getCredentials', note: 'empty fields have the defaults of the credential type' },
  { name: 'helpers.returnJsonArray' },
  { name: 'n8n-workflow: NodeApiError' },
  { name: 'helpers.constructExecutionMetaData' },
  { name: 'helpers.request' },
  { name: 'helpers.requestWithAuthentication' },
  { name: 'helpers.httpRequestWithAuthentication' },
  { name: 'this.logger' },
  { name: 'n8n-workflow: jsonParse' },
  { name: 'n8n-workflow: UserError' },
  { name: 'helpers.prepareBinaryData', where: makesItems },
  { name: 'this.prepareOutputData' },
  {
    name: 'this.getWorkflowStaticData',
    note: '`node` is the cursor of a poll or a listener, and the data of a webhook registration; `global` is stored with them, and read again by each poll and each request, and by a listener when it starts; registrations cannot use `global`; in `methods` both are empty and not stored',
  },
  { name: 'this.getCurrentNodeParameter', where: ['methods'] },
  { name: 'helpers.getBinaryDataBuffer', where: makesItems, note: readsOwn },
  { name: 'this.getNodeWebhookUrl', where: ['webhook', 'registration'] },
  { name: 'this.getRequestObject', where: ['webhook'] },
  { name: 'n8n-workflow: NodeConnectionType' },
  {
    name: 'this.addExecutionHints',
    where: ['run'],
    note: "the run's `hints` in the execution data: at most 20, of 1,000 characters each",
  },
  { name: 'helpers.requestOAuth2', note: 'the credential type must extend a built-in OAuth 2 type' },
  { name: 'helpers.httpRequest' },
  { name: 'n8n-workflow: randomInt' },
  { name: 'n8n-workflow: POSTGRES_NODE_TYPE' },
  { name: 'n8n-workflow: MYSQL_NODE_TYPE' },
  { name: 'helpers.assertBinaryData', where: ['run'] },
  { name: 'n8n-workflow: VersionedNodeType' },
  { name: 'n8n-workflow: ApplicationError' },
  {
    name: 'this.getResponseObject',
    where: ['webhook'],
    note: '`status`, headers, `send`, `json`, `write`, `end` and `redirect`; the response is sent as a whole once it ends, as text or JSON',
  },
  {
    name: 'this.getBodyData',
    where: ['webhook'],
    note: 'for a form with files, `data` and `files`, whose `filepath` is for `copyBinaryFile`',
  },
  { name: 'n8n-workflow: deepCopy' },
  { name: 'this.getMode' },
  {
    name: 'this.emit',
    where: ['listener'],
    note: 'an event starts one execution for each output that has items. The returned promise resolves once they are stored. The third argument is notified when they end, or if there was no room for the event',
  },
  { name: 'this.getTimezone' },
  { name: 'n8n-workflow: BINARY_ENCODING' },
  { name: 'this.getHeaderData', where: ['webhook'] },
  { name: 'this.getWorkflow' },
  {
    name: 'this.evaluateExpression',
    note: 'text with paths, such as `{{ $json.name }}`, because it must return synchronously, which the sandbox cannot do; outside of runs there are no items',
  },
  { name: 'helpers.getBinaryStream', where: makesItems, note: `from our store, with back-pressure; ${readsOwn}` },
  { name: 'n8n-workflow: sleep' },
  { name: 'n8n-workflow: OperationalError' },
  { name: 'n8n-workflow: updateDisplayOptions' },
  { name: 'helpers.binaryToBuffer' },
  { name: 'n8n-workflow: sanitizeXmlName' },
  { name: 'n8n-workflow: UnexpectedError' },
  {
    name: 'this.putExecutionToWait',
    where: ['run'],
    note: 'suspends the execution, which then occupies no worker; the node outputs its items at that time, or the data of a request to the resume URL',
  },
  { name: 'n8n-workflow: WAIT_INDEFINITELY' },
  { name: 'this.getWorkflowSettings', note: 'only the time zone' },
  { name: 'this.getInstanceId', note: 'always `sluice`' },
  {
    name: 'n8n-workflow: LoggerProxy',
    note: "writes to the caller's `this.logger`, or else to the process log. `init` has no effect",
  },
  { name: 'this.getParentNodes', note: 'empty in `methods` and registrations' },
  { name: 'this.nodeHelpers', note: '`copyBinaryFile` accepts files in `FILES_DIR`, and in a webhook files of the request' },
  { name: 'n8n-workflow: BINARY_MODE_COMBINED' },
  { name: 'this.getSignedResumeUrl', where: ['run'], note: 'with a random one-time token; requires `PUBLIC_URL`' },
  { name: 'n8n-workflow: SEND_AND_WAIT_OPERATION' },
  { name: 'this.getChildNodes', note: 'empty in `methods` and registrations' },
  {
    name: 'this.setMetadata',
    where: ['run'],
    note: "the run's `metadata` in the execution data, merged by member, at most 64 KB",
  },
  { name: 'n8n-workflow: WorkflowConfigurationError' },
  {
    name: 'n8n-workflow: recordConsumedAuth',
    state: 'undocumented',
    note: 'a log line at level `debug`, without its arguments; the audit log records credential use by itself',
  },
  { name: 'n8n-workflow: NodeError' },
  {
    name: 'this.getWorkflowDataProxy',
    where: ['run'],
    note: "the node's own items and parameters, and the execution; no other nodes",
  },
  { name: 'this.getExecutionId', note: 'undefined outside of runs' },
  { name: 'this.sendResponse', where: ['run'] },
  {
    name: 'this.establishTriggerIdentity',
    where: ['webhook'],
    note: "accepts an API key of this service that may run the workflow, and throws for any other; the log and the audit log name the user. The workflow's credentials are used",
  },
  { name: 'n8n-workflow: FORM_TRIGGER_NODE_TYPE' },
  { name: 'n8n-workflow: WAIT_NODE_TYPE' },
  { name: 'n8n-workflow: Node' },
  {
    name: 'this.validateCookieAuth',
    where: ['webhook'],
    note: 'accepts an API key of this service instead of a session, and throws for anything else; returns `id` and `email` of the user',
  },
  {
    name: 'this.validateN8nOAuth2Token',
    where: ['webhook'],
    note: 'accepts an API key of this service that may run the workflow instead of a token; throws for any other, with `statusCode` 401 or 403; returns `valid` and `user`',
  },
  { name: 'this.beginN8nOAuth2Flow', state: 'notOffered', note: 'this service has no browser sign-in' },
  { name: 'this.completeN8nOAuth2Flow', state: 'notOffered', note: 'this service has no browser sign-in' },
  { name: 'n8n-workflow: tryToParseUrl' },
  { name: 'n8n-workflow: FORM_NODE_TYPE' },
  {
    name: 'n8n-workflow: buildCredentialConnectionsRequiredResponse',
    state: 'undocumented',
    note: 'an object with a message and the names, types, and URLs of the given credentials; here senders never have to connect credentials',
  },
  { name: 'n8n-workflow: tryToParseJsonToFormFields' },
  { name: 'helpers.normalizeItems' },
  { name: 'helpers.requestWithAuthenticationPaginated' },
  { name: 'this.getQueryData', where: ['webhook'] },
  { name: 'n8n-workflow: safeRegex' },
  { name: 'this.sendMessageToUI', where: ['run'], note: 'written to the execution log' },
  { name: 'this.getWebhookName', where: ['webhook', 'registration'] },
  { name: 'this.makeRoutingRequest', where: [], note: 'in pagination functions of declarative types' },
  {
    name: 'helpers.getSecureEgressFilter',
    note: "the egress guard: `validateUrl` and `createSecureLookup`, even if `SSRF_PROTECTION` is `off`, because Sluice's own endpoints remain blocked",
  },
  { name: 'helpers.createDeferredPromise' },
  {
    name: 'helpers.getBinaryMetadata',
    where: makesItems,
    note: 'computes the size if the file is not from an item and not new',
  },
  { name: 'n8n-workflow: setSafeObjectProperty' },
  { name: 'n8n-workflow: toPathSegment' },
  { name: 'helpers.resolvePath', where: ['run'], note: 'only files of `FILES_DIR`' },
  {
    name: 'this.setSignatureValidationRequired',
    where: ['run'],
    note: 'always on: resume URLs have a random one-time token, which is required to resume',
  },
  { name: 'this.getCurrentNodeParameters', where: ['methods'] },
  { name: 'n8n-workflow: NodeSslError' },
  { name: 'helpers.requestOAuth1', note: 'the credential type must extend a built-in OAuth 1 type' },
  { name: 'n8n-workflow: isResourceLocatorValue' },
  {
    name: 'this.startJob',
    state: 'notOffered',
    where: ['run'],
    note: 'undocumented; passes code to a separate runner service; here user code runs in the Code node',
  },
  { name: 'this.emitError', where: ['listener'] },
];

const states: Readonly<Record<FunctionState, string>> = { undocumented: 'undocumented', notOffered: 'no' };

const places: Readonly<Record<ContextKind, string>> = {
  run: 'runs',
  poll: 'polls',
  listener: 'listeners',
  webhook: 'webhooks',
  registration: 'registrations',
  methods: '`methods`',
};

export function contextsOf({ name, where = contextKinds }: CommunityFunctionInfo): readonly ContextKind[] {
  return name.startsWith('n8n-workflow: ') ? [] : where;
}

function placeOf(info: CommunityFunctionInfo): string {
  const kinds = contextsOf(info);
  return kinds.length === contextKinds.length ? 'everywhere' : kinds.map((kind) => places[kind]).join(', ');
}

/** Renders the documentation page for these functions. */
export function renderCommunityFunctions(): string {
  const rows = communityFunctions.map(
    (info) => `| \`${info.name}\` | ${info.state ? states[info.state] : 'yes'} | ${placeOf(info)} | ${info.note ?? ''} |`,
  );
  return `# Functions of community packages

The functions of their host that [community packages](reference/community-packages.md) call, by frequency of use in public packages:
members of \`this\` and \`this.helpers\`, and exports of \`n8n-workflow\`.

- "yes": works as documented there; the note states differences.
- "undocumented": can be called; no public documentation describes it, and the note states what it does here.
- "no": calling it throws an error with its name.

"Where" lists the functions of a package that have the member: runs (\`execute\`, and functions of declarative types), polls (\`poll\`),
listeners (\`trigger\`), webhooks (\`webhook\`), registrations (\`webhookMethods\`), and \`methods\`. Elsewhere it is absent, or calling it
throws an error.

Written by \`node --conditions=source tools/write-community-functions.ts\`.

| Function | Offered | Where | Note |
|---|---|---|---|
${rows.join('\n')}
`;
}
