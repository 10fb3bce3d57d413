import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { collection, text, toggle } from '@sluice/nodes-base/node-tools';
import { defineService, type Operation, type Resource } from '../../shared/define-service.ts';
import { objectOf, objectsOf } from '../../shared/json-values.ts';
import { listPropertiesOf } from '../../shared/list-properties.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { call, client, list } from './aws-iam-client.ts';

const located = (name: string, displayName: string) =>
  text(name, displayName, `Name of the ${name}`, { required: true, acceptsAnyValue: true });
const user = located('user', 'User');
const group = located('group', 'Group');
const userName = text('userName', 'User Name', 'Name of the user: letters, digits, and `_+=,.@-`', { required: true });
const groupName = text('groupName', 'Group Name', 'Name of the group: letters, digits, and `_+=,.@-`', { required: true });
const additional = (members: readonly NodeProperty[]) => collection('additionalFields', 'Additional Fields', members);
const path = text('path', 'Path', 'Path in the organization, such as `/sales/`');
const pathPrefix = text('pathPrefix', 'Path Prefix', 'Only entries whose path begins with this');

const pathOf = (item: ServiceItem) => item.text('additionalFields.path');
const prefixOf = (item: ServiceItem) => item.text('additionalFields.pathPrefix');

/** An action without a result. */
function acting(
  displayName: string,
  description: string,
  properties: readonly NodeProperty[],
  act: Operation['run'],
): Operation {
  return {
    displayName,
    description,
    properties,
    run: async (item) => {
      await act(item);
      return { success: true };
    },
  };
}

const users: Resource = {
  displayName: 'User',
  initial: 'getAll',
  operations: {
    addToGroup: acting('Add to Group', 'Adds a user to a group', [user, group], (item) =>
      call(item, 'AddUserToGroup', { UserName: item.id('user'), GroupName: item.id('group') }),
    ),
    create: {
      displayName: 'Create',
      description: 'Creates a user',
      properties: [
        userName,
        additional([path, text('permissionsBoundary', 'Permissions Boundary', 'ARN of the policy that limits the user')]),
      ],
      run: async (item) => {
        const boundary = item.text('additionalFields.permissionsBoundary');
        const parameters = { UserName: item.required('userName'), Path: pathOf(item), PermissionsBoundary: boundary };
        return (await call(item, 'CreateUser', parameters))['User'];
      },
    },
    delete: acting('Delete', 'Deletes a user that has no keys, policies, or groups', [user], (item) =>
      call(item, 'DeleteUser', { UserName: item.id('user') }),
    ),
    get: {
      displayName: 'Get',
      description: 'Returns a user',
      properties: [user],
      run: async (item) => (await call(item, 'GetUser', { UserName: item.id('user') }))['User'],
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the users of the account',
      properties: [...listPropertiesOf(100), additional([pathPrefix])],
      run: (item) => list(item, 'ListUsers', 'Users', { PathPrefix: prefixOf(item) }),
    },
    removeFromGroup: acting('Remove From Group', 'Removes a user from a group', [user, group], (item) =>
      call(item, 'RemoveUserFromGroup', { UserName: item.id('user'), GroupName: item.id('group') }),
    ),
    update: acting('Update', 'Renames or moves a user', [user, userName, additional([path])], (item) =>
      call(item, 'UpdateUser', { UserName: item.id('user'), NewUserName: item.required('userName'), NewPath: pathOf(item) }),
    ),
  },
};

const groups: Resource = {
  displayName: 'Group',
  initial: 'getAll',
  operations: {
    create: {
      displayName: 'Create',
      description: 'Creates a group',
      properties: [groupName, additional([path])],
      run: async (item) =>
        (await call(item, 'CreateGroup', { GroupName: item.required('groupName'), Path: pathOf(item) }))['Group'],
    },
    delete: acting('Delete', 'Deletes a group that has no users or policies', [group], (item) =>
      call(item, 'DeleteGroup', { GroupName: item.id('group') }),
    ),
    get: {
      displayName: 'Get',
      description: 'Returns a group',
      properties: [group, toggle('includeUsers', 'Include Users', 'Whether to return the users of the group')],
      run: readGroup,
    },
    getAll: {
      displayName: 'Get Many',
      description: 'Returns the groups of the account',
      properties: [...listPropertiesOf(100), additional([pathPrefix])],
      run: (item) => list(item, 'ListGroups', 'Groups', { PathPrefix: prefixOf(item) }),
    },
    update: acting('Update', 'Renames or moves a group', [group, groupName, additional([path])], (item) =>
      call(item, 'UpdateGroup', {
        GroupName: item.id('group'),
        NewGroupName: item.required('groupName'),
        NewPath: pathOf(item),
      }),
    ),
  },
};

async function readGroup(item: ServiceItem): Promise<JsonObject> {
  const result = await call(item, 'GetGroup', { GroupName: item.id('group'), MaxItems: '1000' });
  const found = objectOf(result['Group']);
  return item.toggle('includeUsers') ? { ...found, Users: objectsOf(objectOf(result['Users'])['member']) } : found;
}

/** Users and groups of an AWS account. */
export const awsIam = defineService({
  displayName: 'AWS IAM',
  name: 'aws-iam',
  version: 1,
  description: 'Manages users and groups in AWS Identity and Access Management',
  credentials: [{ name: 'aws', required: true }],
  icon: 'fa:user-lock',
  iconColor: 'orange',
  group: ['output'],
  client,
  resources: { user: users, group: groups },
});
