import { collection, names, text, toggle } from '@sluice/nodes-base/node-tools';
import type { Resource } from '../../shared/define-service.ts';
import { filledFields } from '../../shared/json-values.ts';
import { chosen, joined, listed, listProperties, membersOf, pathOf, send, workspace } from './asana-client.ts';

const id = text('id', 'Project ID', 'ID of the project', { required: true });
const team = chosen('team', 'Team', 'getTeams');
const written = [
  text('color', 'Color', 'Such as `dark-green` or `light-red`'),
  text('due_on', 'Due On', 'Day by which the project is due'),
  text('notes', 'Notes', 'Text of the project'),
];

/** https://developers.asana.com/reference/projects */
export const project: Resource = {
  displayName: 'Project',
  initial: 'get',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a project',
      properties: [
        text('name', 'Name', 'Name of the project', { required: true }),
        workspace,
        { ...team, description: 'ID of the team; organizations need one' },
        collection('additionalFields', 'Additional Fields', written),
      ],
      run: (item) => {
        const own = { name: item.required('name'), workspace: item.id('workspace'), team: item.optional('team') };
        const data = { ...filledFields(own), ...membersOf(item, 'additionalFields') };
        return send(item, { path: '/projects', json: { data } });
      },
    },
    delete: {
      displayName: 'Delete',
      description: 'Deletes a project',
      properties: [id],
      run: (item) => item.perform({ method: 'DELETE', path: pathOf(item, 'projects', 'id') }),
    },
    get: {
      displayName: 'Get',
      description: 'Gets a project',
      properties: [id],
      run: (item) => send(item, { path: pathOf(item, 'projects', 'id') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the projects of a workspace, or of a team',
      properties: [
        workspace,
        ...listProperties,
        collection('additionalFields', 'Additional Fields', [
          toggle('archived', 'Archived', 'Whether to list the archived projects, instead of the others'),
          names('teams', 'Teams', 'ID of a team', { typeOptions: { loadOptionsMethod: 'getTeams' } }),
        ]),
      ],
      run: (item) => {
        const { archived } = item.fields('additionalFields');
        const [ofTeam] = joined(item, 'additionalFields.teams').split(',');
        // Asana lists the projects of only one team.
        const place = ofTeam ? { team: ofTeam } : { workspace: item.id('workspace') };
        return listed(item, '/projects', { ...place, archived });
      },
    },
    update: {
      displayName: 'Update',
      description: 'Changes a project',
      properties: [
        { ...workspace, required: false },
        id,
        collection('updateFields', 'Update Fields', [
          ...written,
          text('name', 'Name', 'Name of the project'),
          chosen('owner', 'Owner', 'getUsers'),
          team,
        ]),
      ],
      run: (item) =>
        send(item, { method: 'PUT', path: pathOf(item, 'projects', 'id'), json: { data: membersOf(item, 'updateFields') } }),
    },
  },
};

/** https://developers.asana.com/reference/users */
export const user: Resource = {
  displayName: 'User',
  initial: 'get',
  operations: {
    get: {
      displayName: 'Get',
      description: 'Gets a user',
      properties: [text('userId', 'User ID', 'ID or email address of the user; `me`: the account', { required: true })],
      run: (item) => send(item, { path: pathOf(item, 'users', 'userId') }),
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the users of a workspace',
      properties: [workspace],
      run: async (item) => send(item, { path: pathOf(item, 'workspaces', 'workspace', '/users') }),
    },
  },
};
