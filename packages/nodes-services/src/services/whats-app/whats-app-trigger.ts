import type { JsonObject, JsonValue, NodeType, WebhookContext } from '@sluice/node-sdk';
import { choices, collection } from '@sluice/nodes-base/node-tools';
import { asText, objectOf, objectsOf } from '../../shared/json-values.ts';
import { metaWebhook, metaWebhooks } from '../../shared/meta-webhook.ts';
import { deliveryOf } from '../../shared/signed-request.ts';

/** https://developers.facebook.com/docs/graph-api/webhooks/reference/whatsapp-business-account */
const updates = choices(
  ['account_review_update', 'Account Review Update', 'A review of the account was completed'],
  ['account_update', 'Account Update', 'The account was verified, changed, or disabled'],
  ['business_capability_update', 'Business Capability Update', 'The limits of the account changed'],
  ['message_template_quality_update', 'Message Template Quality Update', 'The quality rating of a template changed'],
  ['message_template_status_update', 'Message Template Status Update', 'A template was approved, rejected, or disabled'],
  ['messages', 'Messages', 'A message arrived, or the status of a message changed'],
  ['phone_number_name_update', 'Phone Number Name Update', 'The name of a number was approved or rejected'],
  ['phone_number_quality_update', 'Phone Number Quality Update', 'The limit of a number changed'],
  ['security', 'Security', 'The security settings of a number changed'],
  ['template_category_update', 'Template Category Update', 'The category of a template changed'],
);

const statuses = choices(
  ['all', 'All'],
  ['deleted', 'Deleted'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
  ['read', 'Read'],
  ['sent', 'Sent'],
);

const namesOf = (context: WebhookContext, path: string, fallback: string[] = []): JsonValue[] =>
  [context.parameter<JsonValue>(path, fallback) ?? []].flat();

/** Receives changes of the WhatsApp business accounts that an app is subscribed to. */
export const whatsAppTrigger: NodeType = {
  description: {
    displayName: 'WhatsApp Trigger',
    name: 'whats-app-trigger',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when a WhatsApp business account receives a message or another change',
    defaults: { name: 'WhatsApp Trigger' },
    inputs: [],
    outputs: ['main'],
    icon: 'fa:comment',
    iconColor: 'green',
    credentials: [{ name: 'whatsAppTriggerApi', required: true }],
    webhooks: metaWebhooks,
    properties: [
      {
        displayName: 'Trigger On',
        name: 'updates',
        type: 'multiOptions',
        default: [],
        required: true,
        options: updates,
        description: 'Changes that start an execution',
      },
      collection('options', 'Options', [
        {
          displayName: 'Receive Message Status Updates',
          name: 'messageStatusUpdates',
          type: 'multiOptions',
          default: ['all'],
          options: statuses,
          description: 'Statuses of sent messages that start an execution; default: all',
        },
      ]),
    ],
  },
  ...metaWebhook(
    {
      credentialType: 'whatsAppTriggerApi',
      object: 'whatsapp_business_account',
      fields: (context) => namesOf(context, 'updates').map(asText),
    },
    (context, body) => {
      const wanted = namesOf(context, 'options.messageStatusUpdates', ['all']);
      const changes = changesOf(body);
      const items = changes
        .map(({ value, field }) => ({ ...objectOf(value), field: field ?? null }))
        .filter((change) => isWanted(change, wanted))
        .map((json) => ({ json }));
      return items.length > 0 ? { workflowData: [items], ...deliveryOf(...changes.flatMap(idsIn)) } : {};
    },
  ),
};

const changesOf = ({ entry }: JsonObject): JsonObject[] => objectsOf(entry).flatMap(({ changes }) => objectsOf(changes));

/**
 * IDs of a change's messages and statuses, which are the same when Meta sends it again. Other
 * changes have no IDs.
 */
function idsIn({ value }: JsonObject): (JsonValue | undefined)[] {
  const { messages, statuses } = objectOf(value);
  const ids = objectsOf(messages).map(({ id }) => id);
  const ofStatuses = objectsOf(statuses).flatMap(({ id, status }) => [id, status]);
  return ids.length + ofStatuses.length > 0 ? [...ids, ...ofStatuses] : [undefined];
}

/** Changes without statuses are always included; statuses only if selected. */
function isWanted(change: JsonObject, wanted: readonly JsonValue[]): boolean {
  const { statuses: statusUpdates } = change;
  if (!Array.isArray(statusUpdates) || wanted.includes('all')) return true;
  return objectsOf(statusUpdates).some(({ status = null }) => wanted.includes(status));
}
