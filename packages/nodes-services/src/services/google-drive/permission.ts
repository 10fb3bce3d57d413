import type { JsonObject, JsonValue } from '@sluice/node-sdk';
import { filePath, inAllDrives } from '../../shared/google-drive.ts';
import type { ServiceItem } from '../../shared/service-item.ts';
import { chosen } from './google-drive-client.ts';
import { shareOptions } from './google-drive-properties.ts';

const queryNames = shareOptions.map(({ name }) => name);

/** Adds a permission to a file or folder. */
export function share(item: ServiceItem, id: string): Promise<JsonValue | undefined> {
  const [permission] = item.entries('permissionsUi.permissionsValues');
  if (!permission) throw item.error('the parameter "permissionsUi" is required', 'Add a permission: its role, and who gets it');
  return item.send({
    path: filePath(id, '/permissions'),
    query: { fields: '*', ...chosen(item, 'options', queryNames), ...inAllDrives },
    json: permissionOf(permission),
  });
}

/** Google rejects members that do not belong to the type. */
function permissionOf({ role = 'reader', type = 'user', emailAddress, domain, allowFileDiscovery }: JsonObject): JsonObject {
  const isForAccount = type === 'user' || type === 'group';
  return {
    role,
    type,
    ...(isForAccount && { emailAddress: emailAddress ?? '' }),
    ...(type === 'domain' && { domain: domain ?? '' }),
    ...(!isForAccount && allowFileDiscovery !== undefined && { allowFileDiscovery }),
  };
}
