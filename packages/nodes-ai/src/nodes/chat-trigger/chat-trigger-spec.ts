import {
  type ChatPage,
  isPathSegment,
  NodeOperationError,
  type TriggerContext,
  type UnsupportedUse,
  type WebhookResponseSpec,
  type WebhookTrigger,
} from '@sluice/node-sdk';
import {
  booleanParameter,
  checkedPage,
  choiceParameter,
  guardChoice,
  guardNames,
  refuseUnsupported,
  textParameter,
  webhookAuthentication,
  withoutFinalSlashes,
} from '@sluice/nodes-base/node-tools';

export const unsupportedUses: readonly UnsupportedUse[] = [
  {
    parameter: 'authentication',
    values: ['n8nUserAuth'],
    what: 'authentication by users of the service',
    hint: 'Use basic authentication',
  },
];

/** The requests that a public chat accepts, and its page; empty if the chat is not public. */
export function chatTriggerSpecs(source: TriggerContext): WebhookTrigger[] {
  if (!booleanParameter(source, 'public', 0, false)) return [];
  refuseUnsupported(source, unsupportedUses, 0);
  const authentication = webhookAuthentication(
    source.node,
    guardChoice(source, 'authentication', ['none', 'basicAuth'], 'none'),
  );
  const origins = guardNames(source, 'options.allowedOrigins').map(withoutFinalSlashes);
  const shared = {
    kind: 'webhook',
    path: chatPath(source),
    ...(authentication && { authentication }),
    ...(origins.length > 0 && !origins.includes('*') && { allowedOrigins: origins }),
  } as const;
  const messages: WebhookTrigger = {
    ...shared,
    methods: ['POST'],
    files: { take: takesFiles(source) ? 'all' : 'none' },
    response: responseOf(source),
    runsNode: true,
    ...(textParameter(source, 'options.loadPreviousSession', 0) !== 'manually' && { respondsToAction: 'loadPreviousSession' }),
  };
  if (choiceParameter(source, 'mode', 0, ['hostedChat', 'webhook'], 'hostedChat') === 'webhook') return [messages];
  const page = { methods: ['GET'], files: { take: 'none' }, response: { ...plain, mode: 'onReceived' } } as const;
  return [messages, { ...shared, ...page, page: pageOf(source) }];
}

const plain = { status: 200, headers: {}, data: 'noData' } as const;

function responseOf(source: TriggerContext): WebhookResponseSpec {
  const modes = ['lastNode', 'responseNode', 'responseNodes', 'streaming'] as const;
  const chosen = choiceParameter(source, 'options.responseMode', 0, modes, 'lastNode');
  // Several nodes respond, each with a part.
  const mode = chosen === 'responseNodes' ? 'streaming' : chosen;
  return { ...plain, mode, ...(mode === 'lastNode' && { data: 'firstEntryJson' }) };
}

function chatPath({ node: { webhookId } }: TriggerContext): string {
  if (typeof webhookId === 'string' && webhookId !== '' && isPathSegment(webhookId)) return `${webhookId}/chat`;
  throw new NodeOperationError('a public chat needs a node with a "webhookId" of one word: it is part of the URL', {
    description: 'Give the node a "webhookId", such as support',
  });
}

function takesFiles(source: TriggerContext): boolean {
  return booleanParameter(source, 'options.allowFileUploads', 0, false);
}

/** Initial messages on a chat page. */
const maxGreetings = 1_000;

function pageOf(source: TriggerContext): ChatPage {
  const option = (name: string, fallback: string) => textParameter(source, `options.${name}`, 0, fallback);
  const css = option('customCss', '').trim();
  const greetings = textParameter(source, 'initialMessages', 0, 'Hi there! 👋\nHow can I help you?');
  const lines = greetings.split('\n', maxGreetings + 1).filter((line) => line.trim() !== '');
  if (lines.length > maxGreetings)
    throw new NodeOperationError(`a chat may start with at most ${maxGreetings} messages`, {
      description: 'Write fewer lines in "Initial Message(s)"',
    });
  return checkedPage({
    title: option('title', 'Hi there! 👋'),
    subtitle: option('subtitle', "Start a chat. We're here to help you 24/7."),
    greetings: lines,
    placeholder: option('inputPlaceholder', 'Type your question..'),
    loadsSession: option('loadPreviousSession', 'notSupported') !== 'notSupported',
    ...(booleanParameter(source, 'options.showWelcomeScreen', 0, false) && {
      start: option('getStarted', '') || 'New Conversation',
    }),
    ...(takesFiles(source) && { accept: option('allowedFilesMimeTypes', '*') }),
    ...(css !== '' && { css }),
  });
}
