import { choice, choices, options, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { done, listed, listPath, send, snakeCased } from './mailchimp-client.ts';
import { listProperty } from './member.ts';

const campaignId = text('campaignId', 'Campaign ID', 'ID of the campaign', {
  required: true,
  typeOptions: { loadOptionsMethod: 'getCampaigns' },
});
const campaignPath = (item: ServiceItem) => `/campaigns/${encodeURIComponent(item.id('campaignId'))}`;
const time = (name: string, displayName: string, description: string) =>
  text(name, displayName, description, { type: 'dateTime' });

const action = (displayName: string, description: string, name: string): Operation => ({
  displayName,
  description,
  properties: [campaignId],
  run: (item) => send(item, { method: 'POST', path: `${campaignPath(item)}/actions/${name}` }),
});

/** https://mailchimp.com/developer/marketing/api/campaigns/ */
export const campaign: Resource = {
  displayName: 'Campaign',
  initial: 'getAll',
  operations: {
    delete: {
      displayName: 'Delete',
      description: 'Deletes a campaign',
      properties: [campaignId],
      run: (item) => done(item, { method: 'DELETE', path: campaignPath(item) }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a campaign',
      properties: [campaignId],
      run: (item) => send(item, { path: campaignPath(item) }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists campaigns',
      properties: [
        ...listPropertiesOf(),
        options([
          time('beforeCreateTime', 'Before Create Time', 'Only campaigns that were created before'),
          time('beforeSendTime', 'Before Send Time', 'Only campaigns that were sent before'),
          text('excludeFields', 'Exclude Fields', 'Fields to leave out, such as `campaigns.settings`'),
          text('fields', 'Fields', 'Fields to return, such as `campaigns.id,total_items`'),
          text('listId', 'List ID', 'ID of the audience'),
          time('sinceCreateTime', 'Since Create Time', 'Only campaigns that were created since'),
          time('sinceSendTime', 'Since Send Time', 'Only campaigns that were sent since'),
          choice('sortDirection', 'Sort Direction', choices(['ASC', 'Ascending'], ['DESC', 'Descending'])),
          choice('sortField', 'Sort Field', choices(['create_time', 'Create Time'], ['send_time', 'Send Time'])),
          choice(
            'status',
            'Status',
            choices(
              ['save', 'Saved'],
              ['paused', 'Paused'],
              ['schedule', 'Scheduled'],
              ['sending', 'Sending'],
              ['sent', 'Sent'],
            ),
          ),
        ]),
      ],
      run(item) {
        const { sortDirection, ...rest } = item.fields('options');
        const sort = sortDirection === undefined ? {} : { sort_dir: sortDirection };
        return listed(item, '/campaigns', 'campaigns', { ...snakeCased(rest), ...sort });
      },
    },
    replicate: action('Replicate', 'Copies a campaign', 'replicate'),
    resend: action('Resend', 'Creates a campaign for members that did not open this one', 'create-resend'),
    send: {
      ...action('Send', 'Sends a campaign', 'send'),
      run: (item) => done(item, { method: 'POST', path: `${campaignPath(item)}/actions/send` }),
    },
  },
};

/** https://mailchimp.com/developer/marketing/api/interests/ */
export const listGroup: Resource = {
  displayName: 'List Group',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the groups of a category',
      properties: [
        listProperty,
        text('groupCategory', 'Group Category Name or ID', 'ID of the category', {
          required: true,
          typeOptions: { loadOptionsMethod: 'getGroupCategories' },
        }),
        ...listPropertiesOf(),
      ],
      run: (item) => {
        const category = encodeURIComponent(item.id('groupCategory'));
        return listed(item, `${listPath(item)}/interest-categories/${category}/interests`, 'interests');
      },
    },
  },
};
