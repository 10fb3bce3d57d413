import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { choice, choices, collection, list, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { part } from './mattermost-client.ts';
import { channelId, postId, userId } from './mattermost-properties.ts';

const nameAndValue = [text('name', 'Name', 'Name'), text('value', 'Value', 'Value')];
const one = { typeOptions: {} };

const integration = list(
  'integration',
  'Integration',
  'item',
  [
    text('url', 'URL', 'Address that gets a request when the action is used'),
    list('context', 'Context', 'property', nameAndValue),
  ],
  one,
);
const actions = list('actions', 'Actions', 'item', [
  choice('type', 'Type', choices(['button', 'Button'], ['select', 'Select'])),
  choice('data_source', 'Data Source', choices(['channels', 'Channels'], ['custom', 'Custom'], ['users', 'Users'])),
  list('options', 'Options', 'option', [text('text', 'Text', 'Text of the choice'), text('value', 'Value', 'Its value')]),
  text('name', 'Name', 'Text of the action'),
  choice(
    'style',
    'Style',
    choices(
      ['default', 'Default'],
      ['good', 'Good'],
      ['warning', 'Warning'],
      ['danger', 'Danger'],
      ['primary', 'Primary'],
      ['success', 'Success'],
    ),
  ),
  integration,
]);

/** https://developers.mattermost.com/integrate/reference/message-attachments/ */
const attachments = collection(
  'attachments',
  'Attachments',
  [
    actions,
    text('author_icon', 'Author Icon', 'Address of a picture'),
    text('author_link', 'Author Link', 'Address that the name of the author links to'),
    text('author_name', 'Author Name', 'Name of the author'),
    text('color', 'Color', 'Color of the border, such as `#ff0000`'),
    text('fallback', 'Fallback Text', 'Text where attachments cannot be shown'),
    list('fields', 'Fields', 'item', [
      text('title', 'Title', 'Title of the field'),
      text('value', 'Value', 'Text of the field'),
      toggle('short', 'Short', 'Whether the field takes half of the width', { default: true }),
    ]),
    text('footer', 'Footer', 'Text below'),
    text('footer_icon', 'Footer Icon', 'Address of a picture'),
    text('image_url', 'Image URL', 'Address of a picture'),
    text('pretext', 'Pretext', 'Text above'),
    text('text', 'Text', 'Text of the attachment'),
    text('thumb_url', 'Thumbnail URL', 'Address of a small picture'),
    text('title', 'Title', 'Title of the attachment'),
    text('title_link', 'Title Link', 'Address that the title links to'),
  ],
  { default: [], typeOptions: { multipleValues: true } },
);

export const message: Resource = {
  displayName: 'Message',
  initial: 'post',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes a message',
      properties: [postId],
      run: (item) => item.send({ method: 'DELETE', path: `/posts/${part(item, 'postId')}` }),
    },
    post: {
      displayName: 'Post',
      description: 'Posts a message to a channel',
      properties: [
        channelId,
        text('message', 'Message', 'Text of the message, in Markdown'),
        attachments,
        collection('otherOptions', 'Other Options', [
          toggle('includeLinkToWorkflow', 'Include Link to Workflow', 'Whether to add a line that names the workflow'),
          text('make_comment', 'Make Comment', 'ID of the message that the message replies to'),
          {
            displayName: 'Props',
            name: 'props',
            type: 'json',
            default: '',
            description: 'Properties of the message, as a JSON object',
          },
        ]),
      ],
      run: post,
    },
    postEphemeral: {
      displayName: 'Post Ephemeral',
      description: 'Posts a message that only one user sees',
      properties: [userId, channelId, text('message', 'Message', 'Text of the message, in Markdown', { required: true })],
      run: (item) =>
        item.send({
          path: '/posts/ephemeral',
          json: {
            user_id: item.id('userId'),
            post: { channel_id: item.id('channelId'), message: item.required('message') },
          },
        }),
    },
  },
};

/** https://developers.mattermost.com/api-documentation/#/operations/CreatePost */
async function post(item: ServiceItem): Promise<JsonValue | undefined> {
  const attached = item.entries('attachments').map(attachmentOf);
  const own = item.json('otherOptions.props') ?? {};
  if (!isJsonObject(own)) throw item.error('the option "Props" is not a JSON object', 'Set it to an object such as {"a": 1}');
  const props = { ...own, ...(attached.length > 0 && { attachments: attached }) };
  const words = item.text('message');
  if (words === '' && attached.length === 0)
    throw item.error('the message has neither text nor attachments', 'Fill in "Message", or add an attachment');
  const line = item.toggle('otherOptions.includeLinkToWorkflow') ? `Sent by the workflow ${item.context.workflow.name}` : '';
  const json = {
    channel_id: item.id('channelId'),
    message: [words, line].filter((one) => one !== '').join('\n\n'),
    root_id: item.optional('otherOptions.make_comment'),
    ...(Object.keys(props).length > 0 && { props }),
  };
  return item.send({ path: '/posts', json });
}

/** Editors store lists in groups. */
function attachmentOf({ actions: buttons, fields, ...rest }: JsonObject): JsonObject {
  const members = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== ''));
  return {
    ...members,
    ...(fields !== undefined && { fields: inGroup(fields, 'item') }),
    ...(buttons !== undefined && { actions: inGroup(buttons, 'item').map(actionOf) }),
  };
}

function actionOf({ options, integration: called, ...action }: JsonObject): JsonObject {
  const [target = {}] = called === undefined ? [] : inGroup(called, 'item');
  const { context, ...rest } = target;
  const pairs = inGroup(context ?? [], 'property').map(({ name = '', value = '' }) => [asText(name), value] as const);
  return {
    ...action,
    ...(options !== undefined && { options: inGroup(options, 'option') }),
    ...(called !== undefined && {
      integration: { ...rest, ...(context !== undefined && { context: contextOf(context, pairs) }) },
    }),
  };
}

/** An object in API format is unchanged. */
const contextOf = (context: JsonValue, pairs: readonly (readonly [string, JsonValue])[]): JsonObject =>
  isJsonObject(context) && context['property'] === undefined ? context : Object.fromEntries(pairs);

const inGroup = (value: JsonValue, group: string): JsonObject[] =>
  objectsOf(Array.isArray(value) ? value : objectOf(value)[group]);
