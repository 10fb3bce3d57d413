import { type JsonObject, type JsonValue, NodeOperationError, optionalCredentialText } from '@sluice/node-sdk';
import { odooDatabase, withoutFinalSlashes } from '@sluice/nodes-base/node-tools';
import { type ApiAccess, ApiClient, type ApiRequest } from '../../shared/api-client.ts';
import { objectOf, textOf } from '../../shared/json-values.ts';
import { OncePerRun } from '../../shared/once-per-run.ts';

const hints: ReadonlyMap<string, string> = new Map([
  ['AccessDenied', 'Check user name, password, and database of the credential'],
  ['AccessError', 'The user of the credential may not do this: check its access rights in Odoo'],
  ['MissingError', 'Check the ID: the record does not exist'],
]);

/**
 * https://www.odoo.com/documentation/18.0/developer/reference/external_api.html; errors have status
 * 200. Each call contains the account, so requests are not authenticated.
 */
export const odooClient = new ApiClient({
  service: 'Odoo',
  credentialType: () => undefined,
  baseUrl: '',
  refusesWithSuccess: true,
  refusalOf({ body }) {
    const { error } = objectOf(body);
    if (error === undefined) return undefined;
    const { data, message } = objectOf(error);
    const { name, message: text } = objectOf(data);
    const code = textOf(name).split('.').at(-1) ?? '';
    const hint = hints.get(code);
    return {
      ...(code !== '' && { code }),
      text: textOf(text) || textOf(message),
      ...(hint !== undefined && { hint }),
    };
  },
});

/** A call of a method of a model. */
export interface ModelCall {
  /** Name of the model: `res.partner`. */
  model: string;
  method: string;
  args: readonly JsonValue[];
  options?: JsonObject;
}

interface Account {
  /** Address for calls. */
  path: string;
  database: string;
  username: string;
  password: string;
}

async function accountOf(access: ApiAccess): Promise<Account> {
  const data = await access.credentials('odooApi');
  const [url = '', username = '', password = ''] = ['url', 'username', 'password'].map((name) =>
    optionalCredentialText(data, name),
  );
  return { path: `${withoutFinalSlashes(url.trim())}/jsonrpc`, database: odooDatabase(data), username, password };
}

interface CallRequest extends ApiRequest {
  json: JsonObject;
}

const remoteCall = ({ path }: Account, service: string, method: string, args: JsonValue[]): CallRequest => ({
  path,
  json: { jsonrpc: '2.0', method: 'call', params: { service, method, args }, id: 1 },
});

const users = new OncePerRun<number>();

/** Resolves to the request of each call. `run`: its context; the user signs in once per run. */
export async function requestsOf(run: object, access: ApiAccess): Promise<(call: ModelCall) => CallRequest> {
  const account = await accountOf(access);
  const { path, database, username, password } = account;
  const user = await users.get(run, JSON.stringify([path, database, username]), () => signIn(access, account));
  return ({ model, method, args, options = {} }) =>
    remoteCall(account, 'object', 'execute_kw', [database, user, password, model, method, [...args], options]);
}

async function signIn(access: ApiAccess, account: Account): Promise<number> {
  const { database, username, password } = account;
  const request = remoteCall(account, 'common', 'login', [database, username, password]);
  const { result } = objectOf(await odooClient.send(access, request));
  if (typeof result === 'number') return result;
  throw new NodeOperationError('Odoo does not accept the user name or the password', {
    itemIndex: access.itemIndex,
    description: 'Check user name, password, and database of the credential',
  });
}

/** Calls a method; resolves to its result. */
export async function callModel(run: object, access: ApiAccess, call: ModelCall): Promise<JsonValue> {
  const requestOf = await requestsOf(run, access);
  return objectOf(await odooClient.send(access, requestOf(call)))['result'] ?? null;
}
