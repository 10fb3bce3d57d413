import type { JsonObject, ListSearchResult, MethodContext, NodeProperty } from '@sluice/node-sdk';
import { choice, choices, collection, escapeHtml, questionHtml, text, toggle, when } from '@sluice/nodes-base/node-tools';
import { defineService, type Resource, sendAndWait } from '../../shared/define-service.ts';
import { asText } from '../../shared/json-values.ts';
import { matching } from '../../shared/list-choices.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import { graphPages, microsoftGraph } from '../../shared/microsoft-graph.ts';
import { sendAll } from '../../shared/paging.ts';
import { chosenId, type ServiceItem } from '../../shared/service-item.ts';

/** https://learn.microsoft.com/graph/api/resources/teams-api-overview */
const client = microsoftGraph('Microsoft Teams', 'microsoftTeamsOAuth2Api', () => '');

const listed = (name: string, displayName: string, what: string, searchListMethod: string): NodeProperty =>
  text(name, displayName, `The ${what}: from the list, by ID, or by URL`, {
    required: true,
    typeOptions: { searchListMethod },
  });
const team = listed('teamId', 'Team', 'team', 'getTeams');
const channel = listed('channelId', 'Channel', 'channel', 'getChannels');
const chat = listed('chatId', 'Chat', 'chat', 'getChats');
const messageId = text('messageId', 'Message ID', 'ID of the message', { required: true });
const limits = listPropertiesOf();
const contentTypes = choices(['text', 'Text'], ['html', 'HTML']);
const content = [
  choice('messageType', 'Message Type', contentTypes, when([1, 1.1])),
  choice('contentType', 'Content Type', contentTypes, when([2])),
  text('message', 'Message', 'Text of the message', { required: true }),
];
const link = toggle('includeLinkToWorkflow', 'Include Link to Workflow', 'Whether to add a line that names the workflow');

const inTeamUrl = /groupId=([\w-]+)/;
const inChannelUrl = /\/channel\/([^/?]+)/;
const inChatUrl = /\/(?:chat|l\/chat)\/([^/?]+)/;
const teamPath = (item: ServiceItem) => `/teams/${idIn(item, 'teamId', inTeamUrl)}`;
const channelPath = (item: ServiceItem) => `${teamPath(item)}/channels/${idIn(item, 'channelId', inChannelUrl)}`;
const chatPath = (item: ServiceItem) => `/chats/${idIn(item, 'chatId', inChatUrl)}`;

const maxIdLength = 2_000;

/** IDs in addresses are encoded. */
function idIn(item: ServiceItem, path: string, urls: RegExp): string {
  const id = item.id(path, urls);
  if (id.length > maxIdLength) throw item.error('a Teams ID is too long', 'Check the expression for the ID');
  return /^[\w%.-]+$/.test(id) && id.includes('%') ? id : encodeURIComponent(id);
}

function bodyOf(item: ServiceItem): JsonObject {
  const type = item.text(item.version < 2 ? 'messageType' : 'contentType', 'text');
  const words = item.required('message');
  if (!item.toggle('options.includeLinkToWorkflow')) return { body: { contentType: type, content: words } };
  const line = `Sent by the workflow ${item.context.workflow.name}`;
  const html = `${words}<br><br><em>${escapeHtml(line)}</em>`;
  return { body: { contentType: type, content: type === 'html' ? html : `${words}\n\n${line}` } };
}

const channels: Resource = {
  displayName: 'Channel',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a channel',
      properties: [
        team,
        text('name', 'New Channel Name', 'Name of the channel', { required: true }),
        collection('options', 'Options', [
          text('description', 'Description', 'Description of the channel'),
          choice('type', 'Type', choices(['standard', 'Standard'], ['private', 'Private'])),
        ]),
      ],
      run: (item) => {
        const { type = 'standard', description } = item.fields('options');
        const json = { displayName: item.required('name'), description, membershipType: type };
        return item.send({ path: `${teamPath(item)}/channels`, json });
      },
    },
    deleteChannel: {
      displayName: 'Delete',
      description: 'Deletes a channel',
      properties: [team, channel],
      run: (item) => item.perform({ method: 'DELETE', path: channelPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a channel',
      properties: [team, channel],
      run: (item) => item.send({ path: channelPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the channels of a team',
      properties: [team, ...limits],
      run: (item) => item.list({ path: `${teamPath(item)}/channels` }, graphPages),
    },
    update: {
      displayName: 'Update',
      description: 'Changes a channel',
      properties: [
        team,
        channel,
        text('name', 'New Channel Name', 'New name'),
        collection('options', 'Options', [text('description', 'Description', 'New description')]),
      ],
      run: (item) =>
        item.perform({
          method: 'PATCH',
          path: channelPath(item),
          json: { displayName: item.optional('name'), description: item.optional('options.description') },
        }),
    },
  },
};

const channelMessage: Resource = {
  displayName: 'Channel Message',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Sends a message to a channel',
      properties: [
        team,
        channel,
        ...content,
        collection('options', 'Options', [
          link,
          text('makeReply', 'Reply to ID', 'ID of the message that this one replies to'),
        ]),
      ],
      run: (item) => {
        const parent = item.optional('options.makeReply');
        const reply = parent === undefined ? '' : `/${encodeURIComponent(parent)}/replies`;
        return item.send({ path: `${channelPath(item)}/messages${reply}`, json: bodyOf(item) });
      },
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the messages of a channel',
      properties: [team, channel, ...limits],
      run: (item) => item.list({ path: `${channelPath(item)}/messages`, query: { $top: 50 } }, graphPages),
    },
  },
};

const chatMessage: Resource = {
  displayName: 'Chat Message',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Sends a message to a chat',
      properties: [chat, ...content, collection('options', 'Options', [link])],
      run: (item) => item.send({ path: `${chatPath(item)}/messages`, json: bodyOf(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a message of a chat',
      properties: [chat, messageId],
      run: (item) => item.send({ path: `${chatPath(item)}/messages/${encodeURIComponent(item.required('messageId'))}` }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the messages of a chat',
      properties: [chat, ...limits],
      run: (item) => item.list({ path: `${chatPath(item)}/messages`, query: { $top: 50 } }, graphPages),
    },
    sendAndWait: sendAndWait([chat], (item, question) =>
      item.send({
        path: `${chatPath(item)}/messages`,
        json: { body: { contentType: 'html', content: questionHtml(question) } },
      }),
    ),
  },
};

export const microsoftTeams = defineService({
  displayName: 'Microsoft Teams',
  name: 'microsoft-teams',
  version: [1, 1.1, 2],
  description: 'Sends messages to channels and chats of Teams, and manages channels',
  credentials: [{ name: 'microsoftTeamsOAuth2Api', required: true }],
  icon: 'fa:users',
  iconColor: 'purple',
  client,
  resources: { channel: channels, channelMessage, chatMessage },
  methods: {
    listSearch: {
      getTeams: (context, filter) => searched(context, '/me/joinedTeams', filter),
      getChannels: (context, filter) =>
        searched(context, `/teams/${encodeURIComponent(chosenId(context, 'teamId', inTeamUrl))}/channels`, filter),
      getChats: (context, filter) => searched(context, '/me/chats', filter),
    },
  },
});

async function searched(context: MethodContext, path: string, filter?: string): Promise<ListSearchResult> {
  const records = await sendAll(client, context, { path }, graphPages, 1_000);
  const choices = records.map(({ id = '', displayName, topic, chatType }) => ({
    name: asText(displayName ?? topic ?? `${chatType} (${id})`),
    value: asText(id),
  }));
  return matching(choices, filter);
}
