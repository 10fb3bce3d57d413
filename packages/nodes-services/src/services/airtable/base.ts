import { isJsonObject } from '@sluice/node-sdk';
import { options } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { pagesOf } from './airtable-client.ts';
import { baseOf, baseProperty, listProperties, mapped } from './airtable-properties.ts';

const levels = ['none', 'comment', 'create', 'edit', 'read'];

export const base: Resource = {
  displayName: 'Base',
  versions: mapped,
  operations: {
    getMany: {
      displayName: 'Get Many',
      description: 'Lists the bases that the token can access',
      properties: [
        ...listProperties,
        options([
          {
            displayName: 'Permission Level',
            name: 'permissionLevel',
            type: 'multiOptions',
            default: [],
            options: levels.map((value) => ({ value, name: `${value[0]?.toUpperCase()}${value.slice(1)}` })),
            description: 'Only bases on which the token has one of these permissions',
          },
        ]),
      ],
      async run(item) {
        const { permissionLevel = [] } = item.fields('options');
        const wanted = [permissionLevel].flat();
        const bases = await item.list({ path: '/meta/bases' }, pagesOf('bases'), Number.POSITIVE_INFINITY);
        const allowed = bases.filter(({ permissionLevel: level = '' }) => wanted.length === 0 || wanted.includes(level));
        return item.toggle('returnAll', true) ? allowed : allowed.slice(0, item.number('limit', 100));
      },
    },
    getSchema: {
      displayName: 'Get Schema',
      description: 'Lists the tables of a base, with their fields and views',
      properties: [baseProperty],
      async run(item) {
        const response = await item.send({ path: `/meta/bases/${encodeURIComponent(baseOf(item))}/tables` });
        return isJsonObject(response) ? response['tables'] : response;
      },
    },
  },
};
