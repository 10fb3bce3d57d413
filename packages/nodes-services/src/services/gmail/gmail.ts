import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { draft } from './draft.ts';
import { gmailClient, objectOf, objectsOf } from './gmail-client.ts';
import { label } from './label.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

export const gmail = defineService({
  displayName: 'Gmail',
  name: 'gmail',
  version: [2, 2.1, 2.2],
  description: 'Sends and reads messages of Gmail',
  credentials: [
    { name: 'gmailOAuth2', required: true, ...where({ authentication: ['oAuth2'] }) },
    { name: 'googleApi', required: true, ...where({ authentication: ['serviceAccount'] }) },
  ],
  icon: 'fa:envelope',
  iconColor: 'red',
  client: gmailClient,
  leading: [choice('authentication', 'Authentication', choices(['oAuth2', 'OAuth2'], ['serviceAccount', 'Service Account']))],
  resources: { message, label, draft, thread },
  methods: { loadOptions: { getLabels } },
});

async function getLabels(context: MethodContext): Promise<NodePropertyOption[]> {
  const { labels } = objectOf(await gmailClient.send(context, { path: '/labels' }));
  return objectsOf(labels).map(({ id = '', name = '' }) => ({ name: String(name), value: String(id) }));
}
