/** The resource of an `id`, by the first part of the path. */
const things: Readonly<Record<string, string>> = {
  workflows: 'workflow',
  tags: 'tag',
  executions: 'execution',
  'binary-data': 'file',
  'api-keys': 'API key',
  sessions: 'session',
  users: 'user',
  projects: 'project',
  'event-subscriptions': 'event subscription',
  'data-tables': 'data table',
};
const typed: Readonly<Record<string, string>> = {
  'node-types': 'node type',
  'credential-types': 'credential type',
  credentials: 'credential type',
};
/** IDs whose name does not say what they identify. */
const otherIds: Readonly<Record<string, string>> = { userId: 'member' };

const otherNames: Readonly<Record<string, string>> = {
  kind: 'loadOptions, listSearch, resourceMapping, actionHandler or credentialTest',
  method: 'name of the method; for loadOptions also the dotted path of a parameter with declared choices',
};

/** `undefined` if it is missing, which a test reports. */
export function pathParameterDescription(name: string, path: string): string | undefined {
  const resource = path.split('/')[1] ?? '';
  if (name === 'type') return `name of the ${typed[resource]}`;
  if (Object.hasOwn(otherNames, name)) return otherNames[name];
  const thing = name === 'id' ? things[resource] : (otherIds[name] ?? /^([a-z]+)Id$/.exec(name)?.[1]);
  return thing && `id of the ${thing}`;
}
