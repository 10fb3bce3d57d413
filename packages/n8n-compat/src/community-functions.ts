/**
 * What packages of the community find of a function: it works as it is documented, it can be called though no public documentation says what it does, or calling
 * it throws an error that names it.
 */
type FunctionState = 'offered' | 'undocumented' | 'notOffered';

/** Where packages have functions that are called: what `this` is one of. */
export const contextKinds = ['run', 'poll', 'listener', 'webhook', 'registration', 'methods'] as const;
export type ContextKind = (typeof contextKinds)[number];

/** Where items begin. */
const makesItems: readonly ContextKind[] = ['run', 'poll', 'listener', 'webhook'];

/** What reads files finds those of items in runs; elsewhere there are none yet. */
const readsOwn = 'in a poll and a listener, files that they have just made; in a webhook, those of its call, too';

/** A function of a context (`this`, `helpers`), or an export of `n8n-workflow`. */
interface CommunityFunctionInfo {
  name: string;
  state: FunctionState;
  /** Of a context: where it is; default: in all. None: it is handed to the function that may call it alone. */
  where?: readonly ContextKind[];
  /** How it differs. */
  note?: string;
}

/** The hundred that packages and the nodes of the format itself use most, in the order of their use. */
export const communityFunctions: readonly CommunityFunctionInfo[] = [
  { name: 'this.getNodeParameter', state: 'offered', note: 'with `extractValue`, `ensureType` and `rawExpressions`' },
  { name: 'this.getNode', state: 'offered' },
  { name: 'this.getInputData', state: 'offered', where: ['run'] },
  { name: 'n8n-workflow: NodeOperationError', state: 'offered' },
  { name: 'n8n-workflow: NodeConnectionTypes', state: 'offered' },
  { name: 'this.continueOnFail', state: 'offered', where: ['run'] },
  { name: 'this.getCredentials', state: 'offered', note: 'what is not filled in is what the credential type says' },
  { name: 'helpers.returnJsonArray', state: 'offered' },
  { name: 'n8n-workflow: NodeApiError', state: 'offered' },
  { name: 'helpers.constructExecutionMetaData', state: 'offered' },
  { name: 'helpers.request', state: 'offered' },
  { name: 'helpers.requestWithAuthentication', state: 'offered' },
  { name: 'helpers.httpRequestWithAuthentication', state: 'offered' },
  { name: 'this.logger', state: 'offered' },
  { name: 'n8n-workflow: jsonParse', state: 'offered' },
  { name: 'n8n-workflow: UserError', state: 'offered' },
  { name: 'helpers.prepareBinaryData', state: 'offered', where: makesItems },
  { name: 'this.prepareOutputData', state: 'offered' },
  {
    name: 'this.getWorkflowStaticData',
    state: 'offered',
    note: 'the part `node` is the cursor of a poll or a listener, and what the registration of a webhook keeps; `global` is stored with them, and is read anew by each poll and each call, by a listener when it begins; a registration has none; in `methods` both are empty, and nobody keeps them',
  },
  { name: 'this.getCurrentNodeParameter', state: 'offered', where: ['methods'] },
  { name: 'helpers.getBinaryDataBuffer', state: 'offered', where: makesItems, note: readsOwn },
  { name: 'this.getNodeWebhookUrl', state: 'offered', where: ['webhook', 'registration'] },
  { name: 'this.getRequestObject', state: 'offered', where: ['webhook'] },
  { name: 'n8n-workflow: NodeConnectionType', state: 'offered' },
  {
    name: 'this.addExecutionHints',
    state: 'offered',
    where: ['run'],
    note: '`hints` of the run in the data of the execution: twenty of 1,000 characters at most',
  },
  { name: 'helpers.requestOAuth2', state: 'offered', note: 'the credential type has to extend one of ours for OAuth2' },
  { name: 'helpers.httpRequest', state: 'offered' },
  { name: 'n8n-workflow: randomInt', state: 'offered' },
  { name: 'n8n-workflow: POSTGRES_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: MYSQL_NODE_TYPE', state: 'offered' },
  { name: 'helpers.assertBinaryData', state: 'offered', where: ['run'] },
  { name: 'n8n-workflow: VersionedNodeType', state: 'offered' },
  { name: 'n8n-workflow: ApplicationError', state: 'offered' },
  {
    name: 'this.getResponseObject',
    state: 'offered',
    where: ['webhook'],
    note: '`status`, headers, `send`, `json`, `write`, `end` and `redirect`; the answer goes out whole, with its end, as text or JSON',
  },
  {
    name: 'this.getBodyData',
    state: 'offered',
    where: ['webhook'],
    note: 'of a form with files, `data` and `files`, whose `filepath` goes to `copyBinaryFile`',
  },
  { name: 'n8n-workflow: deepCopy', state: 'offered' },
  { name: 'this.getMode', state: 'offered' },
  {
    name: 'this.emit',
    state: 'offered',
    where: ['listener'],
    note: 'an event starts one execution for each output that has items. Who waits for what it gives goes on once these are stored. The third argument hears how they end, or that there was no room for the event',
  },
  { name: 'this.getTimezone', state: 'offered' },
  { name: 'n8n-workflow: BINARY_ENCODING', state: 'offered' },
  { name: 'this.getHeaderData', state: 'offered', where: ['webhook'] },
  { name: 'this.getWorkflow', state: 'offered' },
  {
    name: 'this.evaluateExpression',
    state: 'offered',
    note: 'texts and paths, such as `{{ $json.name }}`; it has to answer at once, which the sandbox cannot; beside runs there are no items to be seen',
  },
  {
    name: 'helpers.getBinaryStream',
    state: 'offered',
    where: makesItems,
    note: `from our store, with back-pressure; ${readsOwn}`,
  },
  { name: 'n8n-workflow: sleep', state: 'offered' },
  { name: 'n8n-workflow: OperationalError', state: 'offered' },
  { name: 'n8n-workflow: updateDisplayOptions', state: 'offered' },
  { name: 'helpers.binaryToBuffer', state: 'offered' },
  { name: 'n8n-workflow: sanitizeXmlName', state: 'offered' },
  { name: 'n8n-workflow: UnexpectedError', state: 'offered' },
  {
    name: 'this.putExecutionToWait',
    state: 'offered',
    where: ['run'],
    note: 'suspends the execution, which holds no worker then; the node gives its items when the time has come, or what a call to the resume URL brings',
  },
  { name: 'n8n-workflow: WAIT_INDEFINITELY', state: 'offered' },
  { name: 'this.getWorkflowSettings', state: 'offered', note: 'the time zone alone' },
  { name: 'this.getInstanceId', state: 'offered', note: 'always `sluice`' },
  {
    name: 'n8n-workflow: LoggerProxy',
    state: 'offered',
    note: 'as `this.logger` of whatever calls the code; outside of that, the log of the process. `init` changes nothing',
  },
  { name: 'this.getParentNodes', state: 'offered', note: 'in `methods` and at a registration there are none' },
  {
    name: 'this.nodeHelpers',
    state: 'offered',
    note: '`copyBinaryFile` takes files of `FILES_DIR`, and in a webhook those of the call',
  },
  { name: 'n8n-workflow: BINARY_MODE_COMBINED', state: 'offered' },
  {
    name: 'this.getSignedResumeUrl',
    state: 'offered',
    where: ['run'],
    note: 'with a random token of one use; `PUBLIC_URL` has to be set',
  },
  { name: 'n8n-workflow: SEND_AND_WAIT_OPERATION', state: 'offered' },
  { name: 'this.getChildNodes', state: 'offered', note: 'in `methods` and at a registration there are none' },
  {
    name: 'this.setMetadata',
    state: 'offered',
    where: ['run'],
    note: '`metadata` of the run in the data of the execution, member by member, 64 KB at most',
  },
  { name: 'n8n-workflow: WorkflowConfigurationError', state: 'offered' },
  {
    name: 'n8n-workflow: recordConsumedAuth',
    state: 'undocumented',
    note: 'a line of the log at level `debug`, without what it was given; the audit log has the credentials that are used by itself',
  },
  { name: 'n8n-workflow: NodeError', state: 'offered' },
  {
    name: 'this.getWorkflowDataProxy',
    state: 'offered',
    where: ['run'],
    note: 'the items of the node itself, its parameters and the execution; no other nodes',
  },
  { name: 'this.getExecutionId', state: 'offered', note: 'beside runs there is none' },
  { name: 'this.sendResponse', state: 'offered', where: ['run'] },
  {
    name: 'this.establishTriggerIdentity',
    state: 'offered',
    where: ['webhook'],
    note: 'takes an API key of this service that may run the workflow, throws for any other; the log and the audit log name the user. Credentials stay those of the workflow',
  },
  { name: 'n8n-workflow: FORM_TRIGGER_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: WAIT_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: Node', state: 'offered' },
  {
    name: 'this.validateCookieAuth',
    state: 'offered',
    where: ['webhook'],
    note: 'takes an API key of this service in place of a session, throws for anything else; gives `id` and `email` of the user',
  },
  {
    name: 'this.validateN8nOAuth2Token',
    state: 'offered',
    where: ['webhook'],
    note: 'takes an API key of this service that may run the workflow in place of a token; throws for any other, with `statusCode` 401 or 403; gives `valid` and `user`',
  },
  { name: 'this.beginN8nOAuth2Flow', state: 'notOffered', note: 'this service signs nobody in by a browser' },
  { name: 'this.completeN8nOAuth2Flow', state: 'notOffered', note: 'as before' },
  { name: 'n8n-workflow: tryToParseUrl', state: 'offered' },
  { name: 'n8n-workflow: FORM_NODE_TYPE', state: 'offered' },
  {
    name: 'n8n-workflow: buildCredentialConnectionsRequiredResponse',
    state: 'undocumented',
    note: 'an object with a message and names, types and addresses of the credentials that it was given; here no caller has to connect any',
  },
  { name: 'n8n-workflow: tryToParseJsonToFormFields', state: 'offered' },
  { name: 'helpers.normalizeItems', state: 'offered' },
  {
    name: 'helpers.requestWithAuthenticationPaginated',
    state: 'offered',
  },
  { name: 'this.getQueryData', state: 'offered', where: ['webhook'] },
  { name: 'n8n-workflow: safeRegex', state: 'offered' },
  { name: 'this.sendMessageToUI', state: 'offered', where: ['run'], note: 'written to the log of the execution' },
  { name: 'this.getWebhookName', state: 'offered', where: ['webhook', 'registration'] },
  {
    name: 'this.makeRoutingRequest',
    state: 'offered',
    where: [],
    note: 'in functions that turn the pages of a declarative type',
  },
  {
    name: 'helpers.getSecureEgressFilter',
    state: 'offered',
    note: 'the guard of outgoing requests: `validateUrl` and `createSecureLookup`, also where `SSRF_PROTECTION` is `off`: the endpoints of Sluice itself stay refused',
  },
  { name: 'helpers.createDeferredPromise', state: 'offered' },
  {
    name: 'helpers.getBinaryMetadata',
    state: 'offered',
    where: makesItems,
    note: "the size of a file that is neither an item's nor new is counted",
  },
  { name: 'n8n-workflow: setSafeObjectProperty', state: 'offered' },
  { name: 'n8n-workflow: toPathSegment', state: 'offered' },
  { name: 'helpers.resolvePath', state: 'offered', where: ['run'], note: 'files are those of `FILES_DIR` alone' },
  {
    name: 'this.setSignatureValidationRequired',
    state: 'offered',
    where: ['run'],
    note: 'it is always so: resume URLs have a random token of one use, without which nothing is resumed',
  },
  { name: 'this.getCurrentNodeParameters', state: 'offered', where: ['methods'] },
  { name: 'n8n-workflow: NodeSslError', state: 'offered' },
  { name: 'helpers.requestOAuth1', state: 'offered', note: 'the credential type has to extend one of ours for OAuth1' },
  { name: 'n8n-workflow: isResourceLocatorValue', state: 'offered' },
  {
    name: 'this.startJob',
    state: 'notOffered',
    where: ['run'],
    note: 'hands code to a runner of another service, undocumented; here code of users runs in the code node',
  },
  { name: 'this.emitError', state: 'offered', where: ['listener'] },
];

const states: Readonly<Record<FunctionState, string>> = { offered: 'yes', undocumented: 'undocumented', notOffered: 'no' };

const places: Readonly<Record<ContextKind, string>> = {
  run: 'runs',
  poll: 'polls',
  listener: 'listeners',
  webhook: 'webhooks',
  registration: 'registrations',
  methods: '`methods`',
};

/** Where a function of a context is found. */
export function contextsOf({ name, where = contextKinds }: CommunityFunctionInfo): readonly ContextKind[] {
  return name.startsWith('n8n-workflow: ') ? [] : where;
}

function placeOf(info: CommunityFunctionInfo): string {
  const kinds = contextsOf(info);
  return kinds.length === contextKinds.length ? 'everywhere' : kinds.map((kind) => places[kind]).join(', ');
}

/** The page of the documentation that lists them. */
export function renderCommunityFunctions(): string {
  const rows = communityFunctions.map(
    (info) => `| \`${info.name}\` | ${states[info.state]} | ${placeOf(info)} | ${info.note ?? ''} |`,
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
