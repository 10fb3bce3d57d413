import { type Item, isJsonObject, type JsonObject, type JsonValue, type WebhookRequestContext } from '@sluice/node-sdk';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { memberOf, read, slackClient } from './slack-client.ts';

/** An event's item, with its files and names if the author enables them. */
export async function eventItem(context: WebhookRequestContext, event: JsonObject): Promise<Item> {
  const isOn = (path: string) => context.parameter<JsonValue>(path, false) === true;
  const json = isOn('options.resolveIds') ? await resolved(context, event) : event;
  return isOn('downloadFiles') ? { json, ...(await filesOf(context, event)) } : { json };
}

/** Replaces the user and channel IDs; an ID unknown to Slack is unchanged. */
async function resolved(context: WebhookRequestContext, event: JsonObject): Promise<JsonObject> {
  const { user, channel, item } = event;
  return {
    ...event,
    ...(typeof user === 'string' && { user: await nameOf(context, 'users.info', 'user', user) }),
    ...(typeof channel === 'string' && { channel: await nameOf(context, 'conversations.info', 'channel', channel) }),
    ...(isJsonObject(item) &&
      typeof item['channel'] === 'string' && {
        item: { ...item, channel: await nameOf(context, 'conversations.info', 'channel', item['channel']) },
      }),
  };
}

async function nameOf(context: WebhookRequestContext, method: string, member: string, id: string): Promise<string> {
  const record = await memberOf(slackClient.send(context, read(method, { [member]: id })), member);
  const { real_name: realName, name } = objectOf(record);
  const [text = id] = [realName, name].filter((one) => typeof one === 'string' && one !== '');
  return asText(text);
}

/** A message has at most ten files. */
const maxFiles = 10;

async function filesOf(context: WebhookRequestContext, { files = [] }: JsonObject): Promise<Pick<Item, 'binary'>> {
  const list = objectsOf(files).slice(0, maxFiles);
  const binary: NonNullable<Item['binary']> = {};
  for (const [index, { url_private_download: url, name = '', mimetype = '' }] of list.entries()) {
    if (typeof url !== 'string') continue;
    const file = { fileName: asText(name), mimeType: asText(mimetype) };
    binary[`file_${index}`] = await slackClient.download(context, { path: url }, context.binary, file);
  }
  return Object.keys(binary).length > 0 ? { binary } : {};
}
