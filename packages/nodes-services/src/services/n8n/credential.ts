import { isJsonObject } from '@sluice/node-sdk';
import { text } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';

const credentialTypeName = text('credentialTypeName', 'Credential Type', 'Name of the type, such as `githubApi`', {
  required: true,
});

export const credential: Resource = {
  displayName: 'Credential',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a credential',
      properties: [
        text('name', 'Name', 'Name of the credential', { required: true }),
        credentialTypeName,
        {
          displayName: 'Data',
          name: 'data',
          type: 'json',
          default: '',
          required: true,
          description: 'Fields of the type as JSON, see `Get Schema`',
        },
      ],
      run(item) {
        const data = item.json('data') ?? {};
        if (!isJsonObject(data))
          throw item.error('the parameter "data" is not an object', 'Set it to JSON such as { "user": "ann" }');
        return item.send({
          path: '/credentials',
          json: { name: item.required('name'), type: item.required('credentialTypeName'), data },
        });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a credential',
      properties: [text('credentialId', 'Credential ID', 'ID of the credential', { required: true })],
      async run(item) {
        const id = item.id('credentialId');
        const deleted = await item.send({ method: 'DELETE', path: `/credentials/${encodeURIComponent(id)}` });
        return isJsonObject(deleted) ? deleted : { id, deleted: true };
      },
    },
    getSchema: {
      displayName: 'Get Schema',
      description: 'Gets the JSON Schema for the fields of a type',
      properties: [credentialTypeName],
      run: (item) => item.send({ path: `/credentials/schema/${encodeURIComponent(item.required('credentialTypeName'))}` }),
    },
  },
};
