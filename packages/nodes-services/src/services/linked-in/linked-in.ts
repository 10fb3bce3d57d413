import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { asText, objectOf } from '../../shared/json-values.ts';
import { linkedInClient } from './linked-in-client.ts';
import { post } from './post.ts';

export const linkedIn = defineService({
  displayName: 'LinkedIn',
  name: 'linked-in',
  version: 1,
  description: 'Creates posts of persons and organizations on LinkedIn',
  credentials: [
    { name: 'linkedInOAuth2Api', required: true, ...where({ authentication: ['standard'] }) },
    { name: 'linkedInCommunityManagementOAuth2Api', required: true, ...where({ authentication: ['communityManagement'] }) },
  ],
  icon: 'fa:briefcase',
  iconColor: 'blue',
  client: linkedInClient,
  leading: [
    choice(
      'authentication',
      'Authentication',
      choices(['standard', 'Standard'], ['communityManagement', 'Community Management']),
    ),
  ],
  resources: { post },
  methods: {
    loadOptions: {
      async getPersonUrn(context) {
        const profile = await linkedInClient.send(context, { path: '/v2/userinfo' });
        const { sub = '', name = '' } = objectOf(profile);
        return [{ name: asText(name), value: asText(sub) }];
      },
    },
  },
});
