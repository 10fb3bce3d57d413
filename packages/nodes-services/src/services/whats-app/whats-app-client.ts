import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import { ApiClient } from '../../shared/api-client.ts';
import { graphUrl, metaRefusal } from '../../shared/meta-graph.ts';
import type { ServiceItem } from '../../shared/service-item.ts';

/** https://developers.facebook.com/docs/whatsapp/cloud-api */
export const whatsAppClient = new ApiClient({
  service: 'WhatsApp',
  credentialType: 'whatsAppApi',
  baseUrl: graphUrl,
  refusalOf: metaRefusal,
});

export const phoneNumberId = text('phoneNumberId', 'Sender Phone Number', 'ID of the number that sends', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getSendPhoneIdOptions' },
});

export const senderPath = (item: ServiceItem): string => `/${encodeURIComponent(item.required('phoneNumberId'))}`;

export const recipient = text(
  'recipientPhoneNumber',
  "Recipient's Phone Number",
  'Number with country code, such as +14155238886; other characters than digits are left out',
  { required: true },
);

/** Sends a message of a given type to the recipient. */
export function sendMessage(item: ServiceItem, type: string, content: JsonValue): Promise<JsonValue | undefined> {
  const to = item.required('recipientPhoneNumber').slice(0, 100).replace(/\D/g, '');
  if (to === '')
    throw item.error('the parameter "recipientPhoneNumber" has no digits', 'Write the number with its country code');
  const json = { messaging_product: 'whatsapp', recipient_type: 'individual', to, type, [type]: content };
  return item.send({ path: `${senderPath(item)}/messages`, json });
}

/**
 * Uploads a file of the item; resolves to its ID.
 * https://developers.facebook.com/docs/whatsapp/cloud-api/reference/media
 */
export async function upload(item: ServiceItem, property: string, fileName?: string): Promise<JsonObject> {
  const stored = item.file(property);
  const file = { ...stored, ...(fileName && { fileName }) };
  const list = [
    { name: 'messaging_product', value: 'whatsapp' },
    { name: 'type', value: file.mimeType },
    { name: 'file', file },
  ];
  return (await item.send({ path: `${senderPath(item)}/media`, parts: { from: item.context.binary, list } })) as JsonObject;
}
