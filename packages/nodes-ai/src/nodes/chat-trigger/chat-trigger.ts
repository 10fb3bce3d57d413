import type { NodeProperty, NodeType } from '@sluice/node-sdk';
import { choice, choices, names, options, text, toggle, where } from '@sluice/nodes-base/node-tools';
import { chatTriggerSpecs, unsupportedUses } from './chat-trigger-spec.ts';
import { startChat } from './start-chat.ts';

const isPublic = where({ public: [true] });
const noHub = 'Has no effect: there is no page with all chats here';
const hosted = where({ '/mode': ['hostedChat'] });

const chatOptions: NodeProperty[] = [
  names(
    'allowedOrigins',
    'Allowed Origins (CORS)',
    'Origins whose pages may use the chat, separated by commas; empty or *: all',
    { default: '*' },
  ),
  toggle('allowFileUploads', 'Allow File Uploads', 'Whether users may send files'),
  text('allowedFilesMimeTypes', 'Allowed File Mime Types', 'Types that the page offers, separated by commas', { default: '*' }),
  text('inputPlaceholder', 'Input Placeholder', 'Text of the empty input', { default: 'Type your question..', ...hosted }),
  choice(
    'loadPreviousSession',
    'Load Previous Session',
    choices(
      ['notSupported', 'Off'],
      ['memory', 'From Memory', 'Messages of the connected memory'],
      ['manually', 'Manually', 'The workflow starts with the action `loadPreviousSession` and responds with `data`'],
    ),
  ),
  choice(
    'responseMode',
    'Response Mode',
    choices(
      ['lastNode', 'When Last Node Finishes'],
      ['responseNode', "Using 'Respond to Webhook' Node"],
      ['streaming', 'Streaming'],
      ['responseNodes', 'Using Response Nodes', '"Respond to Chat" nodes send messages, and may wait for replies'],
    ),
  ),
  toggle(
    'showWelcomeScreen',
    'Show Welcome Screen',
    'Whether the page begins with a button, after which the messages appear; a session with earlier messages shows them at once',
    hosted,
  ),
  text('getStarted', 'Start Conversation Button Text', 'Text of the button of the welcome screen', {
    default: 'New Conversation',
    ...where({ '/mode': ['hostedChat'], showWelcomeScreen: [true] }),
  }),
  text('title', 'Title', 'Heading of the page', { default: 'Hi there! 👋', ...hosted }),
  text('subtitle', 'Subtitle', 'Text below the heading', { default: "Start a chat. We're here to help you 24/7.", ...hosted }),
  text('customCss', 'Custom Chat Styling', 'Style sheet of the page, added to the standard one', hosted),
];

/** Starts a workflow with a chat message. */
export const chatTrigger: NodeType = {
  description: {
    displayName: 'Chat Trigger',
    name: 'chat-trigger',
    group: ['trigger'],
    version: [1, 1.1, 1.2, 1.3, 1.4, 1.5],
    description:
      'Starts the workflow with each message of a chat. A public chat has a page at `/webhook/<webhookId>/chat` and takes messages by POST while the workflow is active. Outputs an item with `chatInput`, `sessionId`, `action`, and the files',
    defaults: { name: 'When chat message received' },
    inputs: [],
    outputs: ['main'],
    subNodes: [{ type: 'ai_memory', displayName: 'Memory', maxCount: 1 }],
    credentials: [{ name: 'httpBasicAuth' }],
    properties: [
      toggle('public', 'Make Chat Publicly Available', 'Whether users reach the chat while the workflow is active'),
      choice('mode', 'Mode', choices(['hostedChat', 'Hosted Chat'], ['webhook', 'Embedded Chat', 'Without a page']), isPublic),
      choice(
        'authentication',
        'Authentication',
        choices(['none', 'None'], ['basicAuth', 'Basic Auth'], ['n8nUserAuth', 'Users of this service', 'Not supported']),
        isPublic,
      ),
      text('initialMessages', 'Initial Message(s)', 'Messages with which the page begins, one on each line', {
        default: 'Hi there! 👋\nHow can I help you?',
        ...where({ public: [true], mode: ['hostedChat'] }),
      }),
      toggle('availableInChat', 'Make Available in Chat Hub', noHub),
      { displayName: 'Agent Icon', name: 'agentIcon', type: 'json', default: {}, description: noHub },
      text('agentName', 'Agent Name', noHub),
      text('agentDescription', 'Agent Description', noHub),
      options(chatOptions),
    ],
    icon: 'fa:comments',
  },
  unsupported: unsupportedUses,
  triggers: chatTriggerSpecs,
  execute: startChat,
};
