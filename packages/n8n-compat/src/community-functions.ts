/**
 * What packages of the community find of a function: it works as it is documented, it can be called and does nothing, or calling it throws an error that
 * names it.
 */
type FunctionState = 'offered' | 'noEffect' | 'notOffered';

/** A function of a context (`this`, `helpers`), or an export of `n8n-workflow`. */
interface CommunityFunctionInfo {
  name: string;
  state: FunctionState;
  /** How it differs. */
  note?: string;
}

/** The hundred that packages and the nodes of the format itself use most, in the order of their use. */
export const communityFunctions: readonly CommunityFunctionInfo[] = [
  { name: 'this.getNodeParameter', state: 'offered', note: 'with `extractValue`, `ensureType` and `rawExpressions`' },
  { name: 'this.getNode', state: 'offered' },
  { name: 'this.getInputData', state: 'offered' },
  { name: 'n8n-workflow: NodeOperationError', state: 'offered' },
  { name: 'n8n-workflow: NodeConnectionTypes', state: 'offered' },
  { name: 'this.continueOnFail', state: 'offered' },
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
  { name: 'helpers.prepareBinaryData', state: 'offered' },
  { name: 'this.prepareOutputData', state: 'offered' },
  {
    name: 'this.getWorkflowStaticData',
    state: 'offered',
    note: 'in a poll or a listener, the part `node` is its cursor; in a webhook, what its registration keeps',
  },
  { name: 'this.getCurrentNodeParameter', state: 'offered', note: 'in `methods`' },
  { name: 'helpers.getBinaryDataBuffer', state: 'offered' },
  { name: 'this.getNodeWebhookUrl', state: 'offered' },
  { name: 'this.getRequestObject', state: 'offered' },
  { name: 'n8n-workflow: NodeConnectionType', state: 'offered' },
  { name: 'this.addExecutionHints', state: 'noEffect' },
  { name: 'helpers.requestOAuth2', state: 'offered', note: 'the credential type has to extend one of ours for OAuth2' },
  { name: 'helpers.httpRequest', state: 'offered' },
  { name: 'n8n-workflow: randomInt', state: 'offered' },
  { name: 'n8n-workflow: POSTGRES_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: MYSQL_NODE_TYPE', state: 'offered' },
  { name: 'helpers.assertBinaryData', state: 'offered' },
  { name: 'n8n-workflow: VersionedNodeType', state: 'offered' },
  { name: 'n8n-workflow: ApplicationError', state: 'offered' },
  { name: 'this.getResponseObject', state: 'offered' },
  { name: 'this.getBodyData', state: 'offered' },
  { name: 'n8n-workflow: deepCopy', state: 'offered' },
  { name: 'this.getMode', state: 'offered' },
  { name: 'this.emit', state: 'offered', note: 'in a listener; an event starts one execution' },
  { name: 'this.getTimezone', state: 'offered' },
  { name: 'n8n-workflow: BINARY_ENCODING', state: 'offered' },
  { name: 'this.getHeaderData', state: 'offered' },
  { name: 'this.getWorkflow', state: 'offered' },
  {
    name: 'this.evaluateExpression',
    state: 'offered',
    note: 'texts and paths, such as `{{ $json.name }}`; it has to answer at once, which the sandbox cannot',
  },
  { name: 'helpers.getBinaryStream', state: 'offered', note: 'from our store, with back-pressure' },
  { name: 'n8n-workflow: sleep', state: 'offered' },
  { name: 'n8n-workflow: OperationalError', state: 'offered' },
  { name: 'n8n-workflow: updateDisplayOptions', state: 'offered' },
  { name: 'helpers.binaryToBuffer', state: 'offered' },
  { name: 'n8n-workflow: sanitizeXmlName', state: 'offered' },
  { name: 'n8n-workflow: UnexpectedError', state: 'offered' },
  {
    name: 'this.putExecutionToWait',
    state: 'offered',
    note: 'suspends the execution, which holds no worker then; the node gives its items when the time has come, or what a call to the resume URL brings',
  },
  { name: 'n8n-workflow: WAIT_INDEFINITELY', state: 'offered' },
  { name: 'this.getWorkflowSettings', state: 'offered', note: 'the time zone alone' },
  { name: 'this.getInstanceId', state: 'offered', note: 'always `sluice`' },
  { name: 'n8n-workflow: LoggerProxy', state: 'noEffect' },
  { name: 'this.getParentNodes', state: 'offered' },
  { name: 'this.nodeHelpers', state: 'offered' },
  { name: 'n8n-workflow: BINARY_MODE_COMBINED', state: 'offered' },
  { name: 'this.getSignedResumeUrl', state: 'offered', note: 'with a random token of one use; `PUBLIC_URL` has to be set' },
  { name: 'n8n-workflow: SEND_AND_WAIT_OPERATION', state: 'offered' },
  { name: 'this.getChildNodes', state: 'offered' },
  { name: 'this.setMetadata', state: 'noEffect' },
  { name: 'n8n-workflow: WorkflowConfigurationError', state: 'offered' },
  { name: 'n8n-workflow: recordConsumedAuth', state: 'noEffect' },
  { name: 'n8n-workflow: NodeError', state: 'offered' },
  {
    name: 'this.getWorkflowDataProxy',
    state: 'offered',
    note: 'the items of the node itself, its parameters and the execution; no other nodes',
  },
  { name: 'this.getExecutionId', state: 'offered' },
  { name: 'this.sendResponse', state: 'offered' },
  { name: 'this.establishTriggerIdentity', state: 'notOffered' },
  { name: 'n8n-workflow: FORM_TRIGGER_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: WAIT_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: Node', state: 'offered' },
  { name: 'this.validateCookieAuth', state: 'notOffered' },
  { name: 'this.validateN8nOAuth2Token', state: 'notOffered' },
  { name: 'this.beginN8nOAuth2Flow', state: 'notOffered' },
  { name: 'this.completeN8nOAuth2Flow', state: 'notOffered' },
  { name: 'n8n-workflow: tryToParseUrl', state: 'offered' },
  { name: 'n8n-workflow: FORM_NODE_TYPE', state: 'offered' },
  { name: 'n8n-workflow: buildCredentialConnectionsRequiredResponse', state: 'notOffered' },
  { name: 'n8n-workflow: tryToParseJsonToFormFields', state: 'offered' },
  { name: 'helpers.normalizeItems', state: 'offered' },
  { name: 'helpers.requestWithAuthenticationPaginated', state: 'offered' },
  { name: 'this.getQueryData', state: 'offered' },
  { name: 'n8n-workflow: safeRegex', state: 'offered' },
  { name: 'this.sendMessageToUI', state: 'offered', note: 'written to the log of the execution' },
  { name: 'this.getWebhookName', state: 'offered' },
  { name: 'this.makeRoutingRequest', state: 'offered', note: 'in functions that turn the pages of a declarative type' },
  { name: 'helpers.getSecureEgressFilter', state: 'notOffered' },
  { name: 'helpers.createDeferredPromise', state: 'offered' },
  {
    name: 'helpers.getBinaryMetadata',
    state: 'offered',
    note: "the size of a file that is neither an item's nor new is counted",
  },
  { name: 'n8n-workflow: setSafeObjectProperty', state: 'offered' },
  { name: 'n8n-workflow: toPathSegment', state: 'offered' },
  { name: 'helpers.resolvePath', state: 'offered', note: 'files are those of `FILES_DIR` alone' },
  { name: 'this.setSignatureValidationRequired', state: 'notOffered' },
  { name: 'this.getCurrentNodeParameters', state: 'offered', note: 'in `methods`' },
  { name: 'n8n-workflow: NodeSslError', state: 'offered' },
  { name: 'helpers.requestOAuth1', state: 'offered', note: 'the credential type has to extend one of ours for OAuth1' },
  { name: 'n8n-workflow: isResourceLocatorValue', state: 'offered' },
  { name: 'this.startJob', state: 'notOffered' },
  { name: 'this.emitError', state: 'offered' },
];

const states: Readonly<Record<FunctionState, string>> = { offered: 'yes', noEffect: 'no effect', notOffered: 'no' };

/** The page of the documentation that lists them. */
export function renderCommunityFunctions(): string {
  const rows = communityFunctions.map(({ name, state, note = '' }) => `| \`${name}\` | ${states[state]} | ${note} |`);
  return `# Functions that packages of the community find

What [packages of the community](extending.md#packages-of-the-community) call of their host, by how often public packages do: members of \`this\` and \`this.helpers\`, and exports of
\`n8n-workflow\`. "yes": it works as it is documented there, and the note says where it differs. "no effect": it can be called. "no": calling it throws an error that names it.

Written by \`node --conditions=source tools/write-community-functions.ts\`.

| Function | Offered | Note |
|---|---|---|
${rows.join('\n')}
`;
}
