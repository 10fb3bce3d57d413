import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  NodeOperationError,
  type NodeType,
  optionalCredentialText,
  type WebhookContext,
  type WebhookRequestContext,
} from '@sluice/node-sdk';
import { choices, collection, names, toggle, where } from '@sluice/nodes-base/node-tools';
import { asText, locatedValue, objectOf, textOf } from '../../shared/json-values.ts';
import { deliveryOf, isRecent, isSigned, refuseRequest } from '../../shared/signed-request.ts';
import { eventItem } from './event-item.ts';
import { listMethods } from './slack-lists.ts';
import { channel } from './slack-properties.ts';

/** https://docs.slack.dev/reference/events */
const events = choices(
  ['any_event', 'Any Event', 'All events that the app is subscribed to'],
  ['app_mention', 'Bot / App Mention', 'A message mentions the app'],
  ['file_public', 'File Made Public', 'A file was made public'],
  ['file_share', 'File Shared', 'A file was shared'],
  ['message', 'New Message Posted to Channel', 'A message was posted'],
  ['channel_created', 'New Public Channel Created', 'A public channel was created'],
  ['team_join', 'New User', 'A user joined the workspace'],
  ['reaction_added', 'Reaction Added', 'A reaction was added to a message'],
);

/** Events that belong to a channel. */
const ofChannel = ['any_event', 'app_mention', 'file_share', 'message', 'reaction_added'];

/** Receives an app's events; the author enters the webhook URL in Slack. */
export const slackTrigger: NodeType = {
  description: {
    displayName: 'Slack Trigger',
    name: 'slack-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when an event of a Slack workspace arrives',
    defaults: { name: 'Slack Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:hashtag',
    iconColor: 'purple',
    credentials: [{ name: 'slackApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Trigger On',
        name: 'trigger',
        type: 'multiOptions',
        default: [],
        required: true,
        options: events,
        description: 'Events that start an execution; the app must be subscribed to them',
      },
      toggle('watchWorkspace', 'Watch Whole Workspace', 'Whether events of all channels that the app sees start executions', {
        ...where({ trigger: ofChannel }),
      }),
      { ...channel, displayName: 'Channel to Watch', ...where({ watchWorkspace: [false], trigger: ofChannel }) },
      toggle('downloadFiles', 'Download Files', 'Whether to download the files of a message', {
        ...where({ trigger: ['any_event', 'file_share', 'message'] }),
      }),
      collection('options', 'Options', [
        toggle('resolveIds', 'Resolve IDs', 'Whether the IDs of users and channels become names'),
        names('userIds', 'Usernames or IDs to Ignore', 'Events of these users start no execution'),
      ]),
    ],
  },
  methods: listMethods,
  /** There is nothing to register, but without the secret no request could be verified. */
  webhookMethods: {
    default: {
      checkExists: async (context) => (await secretOf(context)) !== '',
      async create(context) {
        if ((await secretOf(context)) !== '') return true;
        throw new NodeOperationError('the credential has no signature secret', {
          description: 'Copy the signing secret from the Slack app, under Basic Information, into the credential',
        });
      },
      delete: async () => true,
    },
  },
  async webhook(context) {
    const { body } = context.request;
    if (!isJsonObject(body) || !isFromSlack(context, await secretOf(context))) return refuseRequest(context);
    if (body['type'] === 'url_verification') return { webhookResponse: { challenge: body['challenge'] ?? '' } };
    const event = objectOf(body['event']);
    return isWanted(context, event)
      ? { workflowData: [[await eventItem(context, event)]], ...deliveryOf(body['event_id']) }
      : {};
  },
};

async function secretOf(context: WebhookContext): Promise<string> {
  return optionalCredentialText(await context.credentials('slackApi'), 'signatureSecret');
}

/** https://docs.slack.dev/authentication/verifying-requests-from-slack */
const maxAgeSeconds = 300;

function isFromSlack(context: WebhookRequestContext, secret: string): boolean {
  const { headers, rawBody } = context.request;
  const sentAt = textOf(headers['x-slack-request-timestamp']);
  if (!isRecent(sentAt, maxAgeSeconds)) return false;
  const signed = Buffer.concat([Buffer.from(`v0:${sentAt}:`), rawBody]);
  return isSigned(context, { secret, signature: headers['x-slack-signature'], encoding: 'hex', prefix: 'v0=', signed });
}

function isWanted(context: WebhookContext, event: JsonObject): boolean {
  const kinds = [context.parameter<JsonValue>('trigger', []) ?? []].flat();
  const { type = '', subtype } = event;
  const isShare = type === 'file_shared' || (type === 'message' && subtype === 'file_share');
  if (!kinds.includes('any_event') && !kinds.includes(type) && !(isShare && kinds.includes('file_share'))) return false;
  const ignored = ignoredUsers(context);
  if ([event['user'], event['bot_id']].some((id) => typeof id === 'string' && ignored.includes(id))) return false;
  return isOfWatchedChannel(context, event);
}

function ignoredUsers(context: WebhookContext): string[] {
  const value = context.parameter<JsonValue>('options.userIds', []) ?? [];
  return (Array.isArray(value) ? value : asText(value).split(',')).map((id) => asText(id).trim());
}

/** Events without a channel, such as new users, belong to the workspace. */
function isOfWatchedChannel(context: WebhookContext, event: JsonObject): boolean {
  if (context.parameter<JsonValue>('watchWorkspace', false) === true || event['type'] === 'channel_created') return true;
  const watched = locatedValue(context.parameter<JsonValue>('channelId', '')) ?? '';
  const id = channelIn(event);
  return id === undefined || watched === '' || asText(watched).includes(id);
}

/** An event's channel ID. */
export function channelIn({ channel: place, channel_id: id, item }: JsonObject): string | undefined {
  const channelId = isJsonObject(place) ? place['id'] : (place ?? id ?? objectOf(item)['channel']);
  return typeof channelId === 'string' && channelId !== '' ? channelId : undefined;
}
