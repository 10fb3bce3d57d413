import { defineService } from '../../shared/define-service.ts';
import { client } from './box-client.ts';
import { file, folder } from './entries.ts';

/** Files and folders. */
export const box = defineService({
  displayName: 'Box',
  name: 'box',
  version: 1,
  description: 'Manages files and folders in Box',
  credentials: [{ name: 'boxOAuth2Api', required: true }],
  icon: 'fa:box',
  iconColor: 'blue',
  group: ['input'],
  client,
  resources: { file, folder },
});
