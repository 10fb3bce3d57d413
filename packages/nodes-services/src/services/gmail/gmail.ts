import type { MethodContext, NodePropertyOption } from '@sluice/node-sdk';
import { defineService } from '../../shared/define-service.ts';
import { googleAccount } from '../../shared/google-account.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { draft } from './draft.ts';
import { firstResources, firstVersions } from './first-version.ts';
import { gmailClient } from './gmail-client.ts';
import { label } from './label.ts';
import { message } from './message.ts';
import { thread } from './thread.ts';

const version = [...firstVersions, 2, 2.1, 2.2];

export const gmail = defineService({
  displayName: 'Gmail',
  name: 'gmail',
  version,
  description: 'Sends and reads Gmail messages',
  ...googleAccount('gmailOAuth2', { version }),
  icon: 'fa:envelope',
  iconColor: 'red',
  client: gmailClient,
  resources: { message, label, draft, thread },
  earlier: { versions: firstVersions, resources: firstResources, initial: 'draft' },
  methods: { loadOptions: { getLabels } },
});

async function getLabels(context: MethodContext): Promise<NodePropertyOption[]> {
  const { labels } = objectOf(await gmailClient.send(context, { path: '/labels' }));
  return choicesFrom(objectsOf(labels));
}
