import { choice, choices, where } from '@sluice/nodes-base/node-tools';
import { defineService } from '../../shared/define-service.ts';
import { nocoDbClient } from './noco-db-client.ts';
import { row } from './row.ts';

export const nocoDb = defineService({
  displayName: 'NocoDB',
  name: 'noco-db',
  version: [1, 2, 3],
  defaultVersion: 3,
  description: 'Reads and writes rows in NocoDB',
  credentials: [
    { name: 'nocoDb', required: true, ...where({ authentication: ['nocoDb'] }) },
    { name: 'nocoDbApiToken', required: true, ...where({ authentication: ['nocoDbApiToken'] }) },
  ],
  icon: 'fa:table',
  iconColor: 'purple',
  client: nocoDbClient,
  leading: [choice('authentication', 'Authentication', choices(['nocoDb', 'User Token'], ['nocoDbApiToken', 'API Token']))],
  resources: { row },
});
