import type { JsonObject, NodeProperty } from '@sluice/node-sdk';
import { namesParameter, text } from '@sluice/nodes-base/node-tools';
import type { Operation, Resource } from '../../shared/define-service.ts';
import { objectOf } from '../../shared/json-values.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { pagesById } from './discord-client.ts';
import { defaultLimit, guild, guildOf, listProperties, simplify, user, userOf } from './discord-properties.ts';

const pageSize = 1_000;
const role: NodeProperty = {
  displayName: 'Role',
  name: 'role',
  type: 'multiOptions',
  default: [],
  required: true,
  options: [],
  typeOptions: { loadOptionsMethod: 'getRoles' },
  description: 'IDs of the roles',
};

const roleOperation = (displayName: string, description: string, method: 'DELETE' | 'PUT'): Operation => ({
  displayName,
  description,
  properties: [guild, user(), role],
  async run(item) {
    const roles = namesParameter(item.context, 'role', item.index);
    if (roles.length === 0) throw item.error('the parameter "role" is required', 'Choose at least one role');
    for (const id of roles)
      await item.send({
        method,
        path: `/guilds/${guildOf(item)}/members/${encodeURIComponent(userOf(item))}/roles/${encodeURIComponent(id)}`,
      });
    return { success: true };
  },
});

/** https://discord.com/developers/docs/resources/guild */
export const member: Resource = {
  displayName: 'Member',
  initial: 'getAll',
  operations: {
    getAll: {
      displayName: 'Get Many',
      description: 'Lists the members of a server; the app needs the intent for server members',
      properties: [guild, ...listProperties, text('after', 'After', 'ID of the user that the list begins after'), simplify],
      run: listed,
    },
    roleAdd: roleOperation('Role Add', 'Gives a member roles', 'PUT'),
    roleRemove: roleOperation('Role Remove', 'Takes roles from a member', 'DELETE'),
  },
};

async function listed(item: ServiceItem): Promise<JsonObject[]> {
  const limit = item.limit(defaultLimit);
  const size = Math.min(limit, pageSize);
  const request = { path: `/guilds/${guildOf(item)}/members`, query: { limit: size, after: item.text('after') } };
  const records = await item.list(
    request,
    pagesById('after', size, ({ user: one }) => objectOf(one)['id']),
    limit,
  );
  return item.toggle('options.simplify') ? records.map(simple) : records;
}

function simple({ user: one, roles = [], permissions = null }: JsonObject): JsonObject {
  const { id = null, username = null } = objectOf(one);
  return { user: { id, username }, roles, permissions };
}
