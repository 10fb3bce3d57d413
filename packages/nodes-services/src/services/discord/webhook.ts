import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/node-sdk';
import { collection, number, text, toggle } from '@sluice/nodes-base/node-tools';
import type { LoneOperation } from '../../shared/define-service.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { contentOf, contentProperties, flagBits, flags, messageRequest } from './message-content.ts';

const tts = toggle('tts', 'Text-to-Speech (TTS)', 'Whether the message is spoken to those who see the channel');

/** https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const webhookMessage: LoneOperation = {
  when: { authentication: ['webhook'] },
  properties: [
    ...contentProperties,
    collection('options', 'Options', [
      text('avatar_url', 'Avatar URL', 'Address of the picture of the sender'),
      flags,
      tts,
      text('username', 'Username', 'Name of the sender'),
      toggle('wait', 'Wait', 'Whether to return the message that was created'),
    ]),
  ],
  async run(item) {
    const { flags: chosen, wait, ...rest } = item.fields('options');
    const request = messageRequest(item, contentOf(item, { ...rest, ...flagBits(chosen) }));
    return sent(await item.send({ path: '', query: { wait: wait === true }, ...request }));
  },
};

const jsonOption = (name: string, displayName: string, description: string) => text(name, displayName, description);

/** Version 1: the webhook is a parameter. */
export const legacyMessage: LoneOperation = {
  when: { '@version': [1] },
  properties: [
    text('webhookUri', 'Webhook URL', 'URL of the webhook', { required: true }),
    text('text', 'Content', 'Text of the message, at most 2,000 characters'),
    collection('options', 'Additional Fields', [
      jsonOption('allowedMentions', 'Allowed Mentions', 'JSON of `allowed_mentions`'),
      jsonOption('attachments', 'Attachments', 'JSON of `attachments`'),
      text('avatarUrl', 'Avatar URL', 'Address of the picture of the sender'),
      jsonOption('components', 'Components', 'JSON of `components`'),
      jsonOption('embeds', 'Embeds', 'JSON of `embeds`'),
      number('flags', 'Flags', 0, 'Number that stands for the flags'),
      jsonOption('payloadJson', 'JSON Payload', 'JSON of `payload_json`, in place of all others'),
      text('username', 'Username', 'Name of the sender'),
      tts,
    ]),
  ],
  async run(item) {
    const json = legacyContent(item);
    return sent(await item.send({ path: item.required('webhookUri'), json }));
  },
};

function legacyContent(item: ServiceItem): JsonObject {
  const { avatarUrl, flags: bits, tts: spoken, username } = item.fields('options');
  const content = item.text('text');
  const payload = item.json('options.payloadJson');
  const json: Record<string, JsonValue | undefined> = {
    content: content === '' ? undefined : content,
    username,
    avatar_url: avatarUrl,
    tts: spoken,
    flags: bits,
    allowed_mentions: item.json('options.allowedMentions'),
    attachments: item.json('options.attachments'),
    components: item.json('options.components'),
    embeds: item.json('options.embeds'),
    ...(isJsonObject(payload) && payload),
  };
  const fields = Object.fromEntries(
    Object.entries(json).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined),
  );
  if ('content' in fields || 'embeds' in fields || 'components' in fields || 'attachments' in fields) return fields;
  throw item.error('the message is empty', 'Write some text, or add embeds');
}

/** Without `wait`, Discord returns nothing. */
function sent(response: JsonValue | undefined): JsonValue {
  return isJsonObject(response) ? response : { success: true };
}
