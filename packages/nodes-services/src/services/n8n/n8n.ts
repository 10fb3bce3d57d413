import { defineService } from '../../shared/define-service.ts';
import { choicesFrom } from '../../shared/list-choices.ts';
import { cursorPaging, sendAll } from '../../shared/paging.ts';
import { audit } from './audit.ts';
import { credential } from './credential.ts';
import { execution } from './execution.ts';
import { n8nClient } from './n8n-client.ts';
import { workflow } from './workflow.ts';

/** Maximum number of choices that editors show. */
const maxChoices = 500;

export const n8n = defineService({
  displayName: 'n8n',
  name: 'n8n',
  version: 1,
  description:
    'Reads and changes workflows, executions, and credentials by the API of this service, or of another with the same one',
  credentials: [{ name: 'n8nApi', required: true }],
  icon: 'fa:sitemap',
  client: n8nClient,
  resources: { audit, credential, execution, workflow },
  initial: 'workflow',
  methods: {
    listSearch: {
      async searchWorkflows(context, filter = '') {
        const query = { limit: 250, ...(filter !== '' && { name: filter }) };
        const request = { path: '/workflows', query };
        const records = await sendAll(n8nClient, context, request, cursorPaging('data', 'nextCursor', 'cursor'), maxChoices);
        return { results: choicesFrom(records) };
      },
    },
  },
});
