import type { MethodContext } from '@sluice/node-sdk';
import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { chosenId } from '../../shared/service-item.ts';
import { campaign, listGroup } from './campaign.ts';
import { choicesOf, mailchimpClient } from './mailchimp-client.ts';
import { member, memberTag } from './member.ts';

export const mailchimp = defineService({
  displayName: 'Mailchimp',
  name: 'mailchimp',
  version: 1,
  description: 'Manages audience members, tags, and campaigns in Mailchimp',
  credentials: [
    { name: 'mailchimpApi', required: true, ...where({ authentication: ['apiKey'] }) },
    { name: 'mailchimpOAuth2Api', required: true, ...where({ authentication: ['oAuth2'] }) },
  ],
  icon: 'fa:envelope',
  iconColor: 'orange',
  client: mailchimpClient,
  leading: [choice('authentication', 'Authentication', choices(['apiKey', 'API Key'], ['oAuth2', 'OAuth2']))],
  resources: { campaign, listGroup, member, memberTag },
  initial: 'member',
  methods: {
    loadOptions: {
      getCampaigns: async (context) =>
        (await choicesOf(context, '/campaigns', 'campaigns', 'id')).map(({ value }) => ({ name: value, value })),
      getGroupCategories: (context) => choicesOf(context, `${chosenList(context)}/interest-categories`, 'categories', 'title'),
      getLists: (context) => choicesOf(context, '/lists', 'lists', 'name'),
      getMergeFields: (context) => choicesOf(context, `${chosenList(context)}/merge-fields`, 'merge_fields', 'name', 'tag'),
    },
  },
});

const chosenList = (context: MethodContext) => `/lists/${encodeURIComponent(chosenId(context, 'list'))}`;
